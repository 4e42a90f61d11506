import { expect, keptTest as test } from "./fixtures.js";
import { drawn, fragment, shoot, tooWide, VIEWS } from "./looks.js";

/** What a printed page says of how to come to it again. @type {Record<string, string[]>} */
const SAYS = {
  explore: ["Prompt", "Strategy", "Settings", "Seed", "Model", "Link"],
  compare: ["Prompt", "Seed", "Model", "Link"],
  beams: ["Prompt", "Model", "Link"],
  draws: ["Prompt", "Strategy", "Settings", "Seed", "Model", "Link"],
  lessons: ["Link"],
};

test.afterEach(({ page }) => page.emulateMedia({ media: "screen" }));

for (const view of VIEWS)
  test(`${view} on paper says how to come to it again @everywhere`, async ({
    page,
    playground,
    browserName,
  }) => {
    await playground.open(fragment(view));
    await drawn(page, view);
    const said = page.locator(".printed");
    await expect(said).toBeHidden();
    const pages = await page.pdf();
    expect(pages.subarray(0, 5).toString()).toBe("%PDF-");
    const rows = await said.evaluate((list) =>
      [...list.children].map((el) => el.textContent ?? ""),
    );
    expect(rows.filter((_, i) => i % 2 === 0)).toEqual(SAYS[view]);
    expect(rows.at(-1)).toBe(page.url());
    if (SAYS[view].includes("Strategy"))
      expect(rows).toEqual(
        expect.arrayContaining(["The cat ran after a", "Sampling", "T 0.80, k 40, p 0.90", "21"]),
      );
    if (browserName !== "chromium") return; // the other one shows no media but the screen
    await page.emulateMedia({ media: "print" });
    await expect(said).toBeVisible();
    for (const control of ["nav", ".controls", ".headacts", ".comparebar", ".growacts"])
      await expect(
        page.locator(`${control} :is(a, button, input:not([hidden])):visible`),
      ).toHaveCount(0);
    expect(await tooWide(page)).toEqual([]);
    await shoot(page, `print-${view}`);
  });

import { expect, keptTest as test } from "./fixtures.js";
import { drawn, findings, fragment, shoot, tooWide, VIEWS } from "./looks.js";

/** Settings of a person's system that the page has to obey. */

test.afterEach(({ page }) => page.emulateMedia({ forcedColors: "none", reducedMotion: null }));

for (const view of VIEWS)
  test(`${view} in forced colours`, async ({ page, playground }) => {
    await page.emulateMedia({ forcedColors: "active" });
    await playground.open(fragment(view));
    await drawn(page, view);
    await shoot(page, `${view}-forced`);
    expect.soft(await tooWide(page)).toEqual([]);
    expect(await findings(page)).toEqual([]);
  });

test("a bar and its ground differ in forced colours", async ({ page, playground }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await playground.open();
  const colours = await page
    .locator(".bars .fill")
    .first()
    .evaluate((fill) => [
      getComputedStyle(fill).backgroundColor,
      getComputedStyle(document.body).backgroundColor,
    ]);
  expect(colours[0]).not.toBe(colours[1]);
});

test("what a colour says alone is drawn as a line or a hatch in forced colours", async ({
  page,
  playground,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  const image = (/** @type {string} */ selector) =>
    page
      .locator(selector)
      .first()
      .evaluate((el) => getComputedStyle(el).backgroundImage);
  await playground.open();
  await playground.button("Draw").click();
  await playground.button("Surprise").click();
  await expect(page.locator(".tok.prompt[style*='--s']").nth(1)).toBeVisible();
  for (const selector of [".tok.gen", ".tok.prompt", ".surprisekey i"])
    expect(await image(selector), selector).toContain("gradient");
  await playground.button("Surprise").click();
  await playground.open("#draws");
  for (const selector of [
    ".drawtable .fill",
    ".drawtable .whisk",
    ".kdrawn",
    ".kwhisk",
    ".drawnstrip .piece",
  ])
    expect(await image(selector), selector).toContain("gradient");
});

test("nothing moves for those who want no motion", async ({ page, playground }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await playground.open();
  await page.evaluate(() => {
    const moved = Object.assign(window, { moved: /** @type {string[]} */ ([]) }).moved;
    const look = () => {
      for (const a of document.getAnimations())
        moved.push(/** @type {KeyframeEffect} */ (a.effect).target?.className ?? "");
      requestAnimationFrame(look);
    };
    look();
  });
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  await playground.set("Top-p", 0.5);
  await page.getByRole("button", { name: "Play stages" }).click();
  await playground.settled();
  await page.getByRole("link", { name: "Beams" }).click();
  await playground.ready();
  await playground.settled();
  expect(await page.evaluate(() => /** @type {any} */ (window).moved)).toEqual([]);
});

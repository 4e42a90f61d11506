import { readFile } from "node:fs/promises";
import { expect, keptTest as test } from "./fixtures.js";
import { drawn, findings, fragment, shoot, still, tooWide, VIEWS } from "./looks.js";
import { fillNumber } from "./playground.js";

/** Widths of the window. 640 is one of 1280 px at 200 %, 320 is one at 400 %. */
const WIDTHS = [320, 360, 640, 768, 1440, 2560];
const axeAt = new Set([360, 768, 1440]);
const schemes = /** @type {const} */ (["light", "dark"]);

test.afterEach(({ page }) => page.emulateMedia({ colorScheme: "light" }));

for (const view of VIEWS)
  test(`${view} at every width, light and dark`, async ({ page, playground }) => {
    test.slow();
    await playground.open(fragment(view));
    for (const width of WIDTHS)
      for (const colorScheme of schemes)
        await test.step(`${width} px, ${colorScheme}`, async () => {
          await page.setViewportSize({ width, height: Math.max(900, Math.round(width * 0.6)) });
          await page.emulateMedia({ colorScheme });
          await drawn(page, view);
          await playground.settled();
          if (colorScheme === "light" || width === 1440)
            await shoot(page, `${view}-${width}-${colorScheme}`);
          await still(page);
          expect.soft(await tooWide(page), `${width} px, ${colorScheme}`).toEqual([]);
          if (axeAt.has(width))
            expect.soft(await findings(page), `${width} px, ${colorScheme}`).toEqual([]);
        });
  });

const list = new URL("../web/lessons/index.json", import.meta.url);
const { lessons } = JSON.parse(await readFile(list, "utf8"));

test("every lesson: its first step light, its last dark", async ({ page, playground }) => {
  test.slow();
  await playground.open("#lessons");
  const steps = page.getByRole("navigation", { name: "Steps" }).getByRole("link");
  for (const lesson of lessons)
    for (const [i, colorScheme] of schemes.entries())
      await test.step(`${lesson}, ${colorScheme}`, async () => {
        await page.emulateMedia({ colorScheme });
        if (i === 0) await page.goto(`./#lesson=${lesson}`);
        else await steps.last().click();
        await expect(i === 0 ? steps.first() : steps.last()).toHaveAttribute(
          "aria-current",
          "step",
        );
        await playground.settled();
        await still(page);
        expect.soft(await findings(page), `${lesson}, ${colorScheme}`).toEqual([]);
        await page.setViewportSize({ width: 320, height: 900 });
        await playground.settled();
        expect.soft(await tooWide(page), `${lesson}, ${colorScheme}`).toEqual([]);
        await page.setViewportSize({ width: 1280, height: 900 });
      });
});

test("a text, a past step, the table and a refused number", async ({ page, playground }) => {
  await playground.open("#explore?eos=0");
  await playground.run();
  await playground.drawnTokens.nth(3).click();
  await page.getByRole("button", { name: "Table" }).click();
  await fillNumber(playground.setting("Top-p").box, 7);
  for (const colorScheme of schemes)
    await test.step(colorScheme, async () => {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `past-1280-${colorScheme}`);
      await still(page);
      expect.soft(await findings(page), colorScheme).toEqual([]);
    });
});

test.describe("a picture", () => {
  test.use({ viewport: { width: 1440, height: 1240 } });
  test("of the README", async ({ page, playground }) => {
    // Four tokens on, the model is in two minds.
    await playground.open("#explore?seed=7");
    for (let n = 1; n <= 4; n++) {
      await playground.button("Draw").click();
      await expect(playground.drawnTokens).toHaveCount(n);
    }
    await page.getByRole("button", { name: "Bars" }).click();
    await page.mouse.move(0, 0);
    await shoot(page, "screenshot", { fullPage: false });
  });
});

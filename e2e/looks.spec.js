import { expect, test } from "./fixtures.js";
import { drawn, findings, fragment, shoot, still, tooWide, VIEWS } from "./looks.js";

for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    for (const view of VIEWS)
      for (const width of [360, 768, 1440])
        test(`${view} at ${width} px`, async ({ page, playground }) => {
          await page.setViewportSize({ width, height: 900 });
          await playground.open(fragment(view));
          await drawn(page, view);
          expect(await tooWide(page)).toEqual([]);
          await shoot(page, `${view}-${width}-${colorScheme}`);
          expect(await findings(page)).toEqual([]);
        });

    test("a text, a past step, the table and a refused number", async ({ page, playground }) => {
      await playground.open();
      await playground.endless();
      await playground.run();
      await playground.drawnTokens.nth(3).click();
      await page.getByRole("button", { name: "Table" }).click();
      await playground.setting("Top-p").box.fill("7");
      await shoot(page, `past-1280-${colorScheme}`);
      await still(page);
      expect(await findings(page)).toEqual([]);
    });
  });
}

for (const width of [320, 2560])
  for (const view of VIEWS)
    test(`${view} at ${width} px has room for everything`, async ({ page, playground }) => {
      await page.setViewportSize({ width, height: Math.max(640, Math.round(width * 0.6)) });
      await playground.open(fragment(view));
      await drawn(page, view);
      await shoot(page, `${view}-${width}`);
      expect(await tooWide(page)).toEqual([]);
    });

test("the picture of the README", async ({ page, playground }) => {
  await page.setViewportSize({ width: 1440, height: 1000 });
  await playground.open();
  await playground.endless();
  for (let n = 1; n <= 4; n++) {
    await playground.button("Draw").click();
    await expect(playground.drawnTokens).toHaveCount(n);
  }
  await page.mouse.move(0, 0);
  await shoot(page, "screenshot", { fullPage: false });
});

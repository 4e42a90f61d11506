import { expect, keptTest as test } from "./fixtures.js";
import { findings, shoot, still, tooWide } from "./looks.js";

/** What opens over a view or grows in it: axe finds nothing there, and it fits a phone. */

/** @typedef {import("@playwright/test").Page} Page */

const schemes = /** @type {const} */ (["light", "dark"]);

/** @param {Page} page @param {string} name @param {string} part where it is */
async function check(page, name, part) {
  expect.soft(await tooWide(page), name).toEqual([]);
  const { x = -1, width = 0 } = (await page.locator(part).first().boundingBox()) ?? {};
  expect.soft(x, name).toBeGreaterThanOrEqual(0);
  expect.soft(x + width, name).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    if (colorScheme === "light") await shoot(page, name, { fullPage: false });
    await still(page);
    expect.soft(await findings(page, part), `${name}, ${colorScheme}`).toEqual([]);
  }
}

test.afterEach(async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.keyboard.press("Escape");
});

for (const width of [360, 1280])
  test(`Share, tab by tab, at ${width} px`, async ({ page, playground }) => {
    await page.setViewportSize({ width, height: 900 });
    await playground.open();
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog", { name: "Share" });
    for (const tab of ["Link", "Embed", "Export", "Python"])
      await test.step(tab, async () => {
        await dialog.getByRole("tab", { name: tab }).click();
        await check(page, `share-${tab.toLowerCase()}-${width}`, "dialog[open]");
      });
  });

for (const width of [360, 1280])
  test(`the menus of models and languages at ${width} px`, async ({ page, playground }) => {
    await page.setViewportSize({ width, height: 900 });
    await playground.open();
    for (const [name, menu] of [
      ["model", "#models"],
      ["lang", "#languages"],
    ])
      await test.step(name, async () => {
        await page.locator(`.${name}btn`).click();
        await check(page, `menu-${name}-${width}`, menu);
        await page.keyboard.press("Escape");
      });
  });

test("all settings on a phone", async ({ page, playground }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await playground.open();
  await page.getByRole("button", { name: "All settings" }).click();
  await expect(page.getByRole("spinbutton", { name: "Seed" })).toBeVisible();
  await check(page, "settings-360", "#controls");
});

test("the order of the stages, and the list of those to add", async ({ page, playground }) => {
  await playground.open();
  const panel = page.locator("#view-explore .controls");
  const order = panel.getByText("Order of the stages");
  await order.click();
  await check(page, "order", "#controls");
  await order.click();
  await panel.getByRole("button", { name: "Add a stage" }).click();
  await expect(panel.locator(".pick").first()).toBeVisible();
  await check(page, "picker", "#controls");
});

test("the settings of a pane", async ({ page, playground }) => {
  await playground.open("#compare");
  await page
    .locator(".pane")
    .first()
    .getByRole("button", { name: /settings/i })
    .click();
  await check(page, "pane-settings", ".pane");
});

test("whole texts, grown", async ({ page, playground }) => {
  await playground.open(
    "#draws?prompt=Once+upon+a&stages=temperature:1.5;top_k:40&draws=1000,10,3,0",
  );
  await page.getByRole("button", { name: "Write them" }).click();
  await expect(page.locator(".tier")).toHaveCount(3);
  await playground.settled();
  await check(page, "grown", "#view-draws");
});

for (const width of [360, 1280])
  test(`a lesson shown to a room at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 720 });
    for (const place of ["softmax/scores", "order/keep-two", "beam/products", "top-k/fixed"])
      await test.step(place, async () => {
        await page.goto(`./#lesson=${place}`);
        await page.getByRole("button", { name: "Present" }).click({ timeout: 30_000 });
        await page.keyboard.press("PageDown");
        await expect(page.locator(".figpanel .figure")).not.toBeEmpty();
        await check(page, `present-${place.replace("/", "-")}-${width}`, ".lesson");
        await page.keyboard.press("Escape");
      });
  });

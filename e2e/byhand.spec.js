import { expect, keptTest as test } from "./fixtures.js";

/** Tasks of the lessons that want a hand: a drag, a token that is picked, a throw, a prompt. */

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("@playwright/test").Locator} Locator */

/** Opens a task that is not solved yet. @param {Page} page @param {string} place */
async function open(page, place) {
  if (page.url().startsWith("http"))
    await page.evaluate((to) => {
      location.hash = to;
    }, `lesson=${place}`);
  else await page.goto(`./#lesson=${place}`);
  const here = page.getByRole("navigation", { name: "Steps" }).locator("[aria-current=step]");
  await expect(here).toHaveAttribute("href", `#lesson=${place}`, { timeout: 30_000 });
  await expect(page.locator(".task .check.open")).toBeVisible();
}

/** @param {Page} page @param {number} [timeout] ms */
const solved = (page, timeout = 30_000) =>
  expect(page.locator(".task .check.right")).toBeVisible({ timeout });

/** Drags a slider's thumb to a share of its length, and by the arrows to the value itself.
 * @param {Page} page @param {Locator} slider @param {number} value */
async function drag(page, slider, value) {
  await slider.scrollIntoViewIfNeeded();
  const [low, high, now] = await slider.evaluate((/** @type {HTMLInputElement} */ el) => [
    Number(el.min),
    Number(el.max),
    Number(el.value),
  ]);
  const box = await slider.boundingBox();
  if (!box) throw new Error("the slider is not shown");
  const thumb = 16; // px, as good as any browser's
  const x = (/** @type {number} */ v) =>
    box.x + thumb / 2 + ((v - low) / (high - low)) * (box.width - thumb);
  await page.mouse.move(x(now), box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(x(value), box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  const is = async () => Number(await slider.inputValue());
  expect(Math.abs((await is()) - now)).toBeGreaterThan(0);
  for (let i = 0; i < 40 && Math.abs((await is()) - value) > 1e-6; i++)
    await slider.press((await is()) < value ? "ArrowRight" : "ArrowLeft");
}

test("a logit is dragged until two tokens are equally probable @everywhere", async ({ page }) => {
  await open(page, "softmax/draw-level");
  await drag(page, page.getByRole("slider", { name: "Logit of Rome" }), 8.4);
  await solved(page);
});

test("the die is dragged to where it takes the token that is wanted @everywhere", async ({
  page,
}) => {
  await open(page, "sampling/set-die");
  await drag(page, page.getByRole("slider", { name: "The die" }), 0.96);
  await solved(page);
});

test("a thousand throws come near what is expected @everywhere", async ({ page }) => {
  await open(page, "sampling/thousand");
  await page.getByRole("button", { name: "Draw 1,000" }).click();
  await solved(page);
});

test("a rare token is picked, and the text goes on @everywhere", async ({ page }) => {
  await open(page, "one-step/by-hand");
  const choice = page.getByRole("textbox", { name: "Take a token of your choice" });
  await expect(choice).toBeVisible({ timeout: 45_000 }); // the page's model is there
  await choice.fill(" Paris");
  await choice.press("Enter");
  for (let i = 0; i < 5; i++) {
    await expect(page.locator(".task .check.open")).toBeVisible();
    await page.getByRole("button", { name: "Step", exact: true }).click();
    await expect(page.locator(".lessonline .text").getByRole("button")).toHaveCount(i + 2);
  }
  await solved(page);

  await open(page, "surprise/ten-bits");
  await choice.fill(" Paris");
  await choice.press("Enter");
  await solved(page);
});

test("a prompt is found that ends in a loop @everywhere", async ({ page }) => {
  await open(page, "greedy/own-loop");
  const prompt = page.getByRole("textbox", { name: "Prompt" });
  await expect(prompt).toBeVisible({ timeout: 45_000 });
  await prompt.fill("I am glad. I am glad. I am glad. I am glad.");
  await prompt.press("Tab");
  await page.getByRole("button", { name: "Run" }).click();
  await solved(page, 90_000); // sixty tokens, at a pace to read them
});

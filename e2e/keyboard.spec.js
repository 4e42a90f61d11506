import { expect, keptTest, test } from "./fixtures.js";

/** What has the focus, by name. @param {import("@playwright/test").Page} page */
const focused = (page) =>
  page.evaluate(() => {
    const el = /** @type {any} */ (document.activeElement);
    const label = el.labels?.[0]?.textContent ?? "";
    return (el.getAttribute("aria-label") ?? (label || el.textContent)).trim();
  });

/** Presses Tab until what has the focus is called so. @param {import("@playwright/test").Page} page @param {RegExp} name */
async function tabTo(page, name) {
  const passed = [];
  for (let n = 0; n < 150; n++) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (name.test(now)) return;
    passed.push(now);
  }
  throw new Error(`Tab never comes to ${name}; it passes ${passed.join(", ")}`);
}

test("the first Tab stop leads past the head", async ({ page, playground }) => {
  await playground.open();
  await page.keyboard.press("Tab");
  await expect(page.locator(":focus")).toHaveText(/skip/i);
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("the whole job is done without a mouse @everywhere", async ({ page, playground }) => {
  await playground.open();
  await tabTo(page, /^Edit/);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Once upon a");
  await page.keyboard.press("Enter");
  await expect(playground.promptTokens).toHaveCount(3);

  await tabTo(page, /^(Draw|Take the)/);
  await page.keyboard.press("Enter");
  await expect(playground.drawnTokens).toHaveCount(1);
  expect(await focused(page)).toMatch(/^(Draw|Take the)/);

  await tabTo(page, /^.?Top-p$/);
  const size = await playground.number("nucleus");
  for (let n = 0; n < 10; n++) await page.keyboard.press("ArrowDown");
  await expect.poll(() => playground.number("nucleus")).toBeLessThanOrEqual(size);
  expect(await focused(page)).toMatch(/Top-p/);

  await tabTo(page, /^Take /);
  await page.keyboard.press("Enter");
  await expect(playground.drawnTokens).toHaveCount(2);
  expect(await focused(page)).toMatch(/^Take /);

  await playground.drawnTokens.first().focus();
  await page.keyboard.press("Enter");
  await expect(playground.drawnTokens.first()).toHaveAttribute("aria-pressed", "true");
  await tabTo(page, /^Rewind/);
  await page.keyboard.press("Enter");
  await expect(playground.drawnTokens).toHaveCount(0);
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
});

keptTest(
  "the stages are a radio group: arrows show another strip in the bars",
  async ({ page, playground }) => {
    await playground.open();
    const stages = page.getByRole("radiogroup", { name: /^Stage shown/ });
    await stages.getByRole("radio").last().focus();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowUp");
    await expect(stages.getByRole("radio", { name: /^Model/ })).toBeChecked();
    for (const row of await playground.rows()) expect(row.final).toBe(row.model);
    for (let n = 0; n < 3; n++) await page.keyboard.press("ArrowDown");
  },
);

keptTest("the p line is a slider with words", async ({ page, playground }) => {
  await playground.open();
  await playground.only({ "Top-p": 0.9 });
  const line = page.getByRole("slider", { name: "Top-p line" });
  await line.focus();
  for (let n = 0; n < 20; n++) await page.keyboard.press("ArrowDown");
  await expect(playground.setting("Top-p").box).toHaveValue(/^0\.70?$/);
  await expect(line).toHaveAttribute("aria-valuetext", /keeps \d+/);
});

test("a lesson keeps the focus: where one opens, is answered and gives way to the next @everywhere", async ({
  page,
}) => {
  await page.goto("./#lessons");
  const lesson = page.locator("#view-lessons .lesson");
  await page.locator('.lessoncard[href="#lesson=greedy"]').focus();
  await page.keyboard.press("Enter");
  await expect(lesson.getByRole("heading", { level: 2, name: "Recall" })).toBeFocused();
  await tabTo(page, /^Yes/);
  await page.keyboard.press("Space");
  await tabTo(page, /^See the answer/);
  await page.keyboard.press("Enter");
  await expect(lesson.locator(".guessresult")).toBeFocused();
  await page.goto("./#lesson=greedy/end");
  await lesson.getByRole("link", { name: /^Next:/ }).press("Enter");
  await expect(lesson.getByRole("heading", { level: 2, name: "Guess", exact: true })).toBeFocused();
  await page.locator("#view-lessons").getByRole("link", { name: "All lessons" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Lessons" })).toBeFocused();
});

test("the sign of a button stands as high as that of the next", async ({ page }) => {
  await page.goto("./#lesson=greedy/toy-loop");
  const signs = page.locator(".lineacts .btn:visible svg");
  await expect(signs).toHaveCount(3);
  const tops = await signs.evaluateAll((all) => all.map((s) => s.getBoundingClientRect().top));
  for (const top of tops) expect(Math.abs(top - tops[0])).toBeLessThan(1);
});

test("the ring of the focus stands around a node of the tree, whatever its own edge", async ({
  page,
  playground,
}) => {
  await playground.open("#beams?v=1&prompt=The+cat+ran+after+a&beams=2,2,1");
  await page.locator("#beam-lp").focus();
  await tabTo(page, /step 1/);
  const rings = page.locator(".tree .ring:visible");
  for (const key of ["", "ArrowDown", "ArrowRight"]) {
    if (key) await page.keyboard.press(key);
    await expect(rings).toHaveCount(1);
    const [ring, box] = await page
      .locator(".node:focus")
      .evaluate((node) =>
        [".ring", ".box"].map((part) => node.querySelector(part)?.getBoundingClientRect().toJSON()),
      );
    expect(box.left - ring.left).toBeGreaterThan(2);
    expect(ring.bottom - box.bottom).toBeGreaterThan(2);
  }
  await page.locator("#beam-lp").focus();
  await expect(rings).toHaveCount(0);
});

keptTest("one line is spoken after a change, not one for each", async ({ page, playground }) => {
  await playground.open();
  const voice = page.locator("#voice");
  await expect(voice).toHaveText(/bits/);
  await page.evaluate(() => {
    const said = Object.assign(window, { said: /** @type {string[]} */ ([]) }).said;
    const voice = /** @type {Element} */ (document.querySelector("#voice"));
    new MutationObserver(() => said.push(voice.textContent ?? "")).observe(voice, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const { range } = playground.setting("Temperature");
  for (let n = 0; n < 10; n++) await range.press("ArrowUp");
  await expect
    .poll(() => page.evaluate(() => /** @type {any} */ (window).said.length))
    .toBeGreaterThan(0);
  expect(await page.evaluate(() => /** @type {any} */ (window).said.length)).toBeLessThanOrEqual(4);
});

keptTest("tab stops all have a name", async ({ page, playground }) => {
  await playground.open();
  const nameless = [];
  for (let n = 0; n < 120; n++) {
    await page.keyboard.press("Tab");
    const now = await focused(page);
    if (now === "" && (await page.evaluate(() => document.activeElement !== document.body)))
      nameless.push(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120)));
  }
  expect(nameless).toEqual([]);
});

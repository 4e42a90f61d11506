import { expect, test as freshTest, keptTest as test } from "./fixtures.js";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

test("no box of the page moves while sliders do", async ({ page, playground }) => {
  await playground.open();
  await playground.setting("Min-p").used.check();
  await expect(page.getByRole("radio", { name: /^Min-p/ })).toBeAttached();
  const boxes = () => page.evaluate(measure, parts);
  const before = await boxes();
  for (const label of ["Temperature", "Top-k", "Top-p", "Min-p"]) {
    const { range } = playground.setting(label);
    for (const key of ["Home", "End", "PageDown", "PageDown"]) {
      const spoken = await range.getAttribute("aria-valuetext");
      await range.press(key);
      await expect(range).not.toHaveAttribute("aria-valuetext", spoken ?? "");
      const now = await boxes();
      for (const [i, part] of parts.entries())
        for (const [side, was] of Object.entries(before[i]))
          expect(Math.abs(now[i][side] - was), `${label} ${key}: ${side} of ${part}`).toBeLessThan(
            1,
          );
    }
  }
});

const parts = [
  "#controls",
  ".cascadepanel",
  ".barpanel",
  ".nums",
  ".curvepanel",
  ".stepbar",
  ".sentence",
];

/** Runs in the page. @param {string[]} selectors @returns {Record<string, number>[]} */
function measure(selectors) {
  return selectors.map((s) => {
    const box = /** @type {Element} */ (document.querySelector(s)).getBoundingClientRect();
    return { left: box.left, top: box.top, width: box.width, height: box.height };
  });
}

test("the browser itself sees next to no layout shift in a drag", async ({ page, playground }) => {
  await playground.open();
  await page.evaluate(() => {
    const shifts = Object.assign(window, { shifts: /** @type {number[]} */ ([]) }).shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(/** @type {any} */ (entry).value);
    }).observe({ type: "layout-shift", buffered: false });
  });
  const track = await playground.setting("Top-p").range.boundingBox();
  if (!track) throw new Error("the slider has no place");
  const y = track.y + track.height / 2;
  await page.mouse.move(track.x + track.width * 0.9, y);
  await page.mouse.down();
  for (let i = 0; i <= 30; i++) await page.mouse.move(track.x + track.width * (0.95 - 0.03 * i), y);
  await page.mouse.up();
  await expect.poll(() => playground.number("nucleus")).toBeLessThan(10);
  const shifts = await page.evaluate(() => /** @type {any} */ (window).shifts);
  expect(
    shifts.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0),
  ).toBeLessThan(0.05);
});

test("on a phone one slider stays in view with the bars", async ({ page, playground }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await playground.open();
  await playground.take.first().scrollIntoViewIfNeeded();
  await expect(playground.setting("Top-p").range).toBeInViewport();
  await page.getByRole("button", { name: /^Temperature/ }).click();
  await expect(playground.setting("Temperature").range).toBeInViewport();
  await page.getByRole("button", { name: "All settings" }).click();
  await expect(page.getByRole("spinbutton", { name: "Seed" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "All settings" })).toHaveAttribute(
    "aria-expanded",
    "false",
  );
});

freshTest("on a phone the page stands still while it loads", async ({ page, playground }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.addInitScript(() => {
    const shifts = Object.assign(window, { shifts: /** @type {number[]} */ ([]) }).shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(/** @type {any} */ (entry).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await playground.open();
  await playground.settled();
  const shifts = await page.evaluate(() => /** @type {any} */ (window).shifts);
  const sum = shifts.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
  expect(sum).toBeLessThan(0.1);
});

test("the name of the model is whole, from a phone to a desk", async ({ page, playground }) => {
  await playground.open();
  for (const width of [1024, 768, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const name = page.locator(".modelname");
    await expect(name).toHaveText("Storybook 4M");
    expect(await name.evaluate((el) => el.scrollWidth - el.clientWidth), `${width}`).toBe(0);
  }
});

test("long numbers are whole at every width, in boxes and cells", async ({ page, playground }) => {
  const stages = "temperature:10;top_k:50257;top_p:0.95;min_p:0.001;repetition_penalty:12.5";
  await playground.open(`#explore?v=1&prompt=Once&strategy=sampling&stages=${stages}`);
  await expect(page.locator('[data-num="nucleus"] .v')).toHaveText(/^4\d,\d{3}$/);
  for (const width of [320, 360, 768, 1000, 1200, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll(".controls input[type=number], .num1 .v, .num1 .u")]
        .filter((el) => el.checkVisibility())
        .filter((el) => {
          const cell = el.closest(".num1");
          if (!cell) return el.scrollWidth > el.clientWidth;
          const line = document.createRange();
          line.selectNodeContents(el);
          const end = cell.getBoundingClientRect().right;
          return line.getBoundingClientRect().right > end - 4 || line.getClientRects().length > 1;
        })
        .map((el) => (el instanceof HTMLInputElement ? el.value : el.textContent)),
    );
    expect.soft(cut, `${width} px`).toEqual([]);
  }
});

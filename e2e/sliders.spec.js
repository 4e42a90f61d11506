import { expect, keptTest as test } from "./fixtures.js";

test.beforeEach(({ playground }) => playground.open());

/**
 * Slider, key, and what the key does to nucleus, kept mass and entropy: -1 or 1.
 *
 * @type {{label: string, only: Record<string, number>, key: string, nucleus?: number, mass?: number,
 *   entropy?: number}[]}
 */
const moves = [
  { label: "Temperature", only: { Temperature: 1 }, key: "ArrowUp", entropy: 1 },
  { label: "Temperature", only: { Temperature: 1 }, key: "ArrowDown", entropy: -1 },
  { label: "Top-k", only: { "Top-k": 5 }, key: "PageUp", mass: 1, entropy: 1 },
  { label: "Top-k", only: { "Top-k": 10 }, key: "PageDown", mass: -1, entropy: -1 },
  { label: "Top-p", only: { "Top-p": 0.9 }, key: "PageUp", nucleus: 1, mass: 1, entropy: 1 },
  { label: "Top-p", only: { "Top-p": 0.95 }, key: "PageDown", nucleus: -1, mass: -1, entropy: -1 },
  { label: "Min-p", only: { "Min-p": 0.05 }, key: "PageDown", mass: 1, entropy: 1 },
  { label: "Min-p", only: { "Min-p": 0.01 }, key: "PageUp", mass: -1, entropy: -1 },
];
const names = /** @type {const} */ (["nucleus", "mass", "entropy"]);

for (const { label, only, key, ...signs } of moves) {
  test(`${label}: ${key} moves the numbers the right way`, async ({ playground }) => {
    await playground.only(only);
    const { range, box } = playground.setting(label);
    const was = await numbers(playground);
    const value = await box.inputValue();
    for (let press = 0; press < 3; press++) await range.press(key);
    await expect(box).not.toHaveValue(value);
    await expect(range).toHaveAttribute("aria-valuetext", new RegExp(`^${label} `));
    for (const name of names) {
      const sign = signs[name];
      if (sign)
        await expect
          .poll(async () => Math.sign((await playground.number(name)) - was[name]))
          .toBe(sign);
    }
  });
}

for (const label of ["Temperature", "Top-k", "Top-p", "Min-p"]) {
  test(`${label}: the mouse moves it, and the bars follow`, async ({ page, playground }) => {
    const { range, box, used } = playground.setting(label);
    await used.check();
    const value = await box.inputValue();
    const entropy = await playground.number("entropy");
    const track = await range.boundingBox();
    if (!track) throw new Error("the slider has no place");
    const middle = track.y + track.height / 2;
    await page.mouse.move(track.x + track.width * 0.5, middle);
    await page.mouse.down();
    await page.mouse.move(track.x + track.width * 0.9, middle, { steps: 5 });
    await page.mouse.move(track.x + track.width * 0.15, middle, { steps: 5 });
    await page.mouse.up();
    await expect(box).not.toHaveValue(value);
    await expect.poll(() => playground.number("entropy")).not.toBe(entropy);
    await barsAddUp(playground);
  });
}

test("top-k 1 keeps one token, without a doubt left", async ({ playground }) => {
  await playground.only({ "Top-k": 1 });
  await expect.poll(() => playground.number("nucleus")).toBe(1);
  await expect.poll(() => playground.number("entropy")).toBe(0);
  await expect.poll(() => playground.number("choices")).toBe(1);
  const rows = await playground.rows();
  expect(rows.map((r) => r.removed)).toEqual(rows.map((_, i) => i > 0));
  expect(rows[0].final).toBe(1);
});

test("all stages off leave the model's own distribution", async ({ playground }) => {
  await playground.only({});
  await expect.poll(() => playground.number("nucleus")).toBe(50257);
  await expect.poll(() => playground.number("mass")).toBe(100);
  for (const row of await playground.rows()) {
    expect(row.final).toBe(row.model);
    expect(row.removed).toBe(false);
  }
});

test("top-p 1 keeps all, 0 keeps one", async ({ playground }) => {
  await playground.only({ "Top-p": 1 });
  await expect.poll(() => playground.number("nucleus")).toBe(50257);
  await playground.set("Top-p", 0);
  await expect.poll(() => playground.number("nucleus")).toBe(1);
});

test("temperature 0 takes the top token, T 1 is the model's own", async ({ playground }) => {
  await playground.only({ Temperature: 0 });
  await expect.poll(async () => (await playground.rows())[0].final).toBe(1);
  await playground.set("Temperature", 1);
  await expect
    .poll(async () => (await playground.rows()).every((r) => r.final === r.model))
    .toBe(true);
});

test("a stage that is switched off keeps its value", async ({ playground }) => {
  const { box, used } = playground.setting("Top-p");
  await playground.set("Top-p", 0.77);
  await used.uncheck();
  await expect(box).toHaveValue("0.77");
  await used.check();
  await expect(box).toHaveValue("0.77");
});

/** @param {ReturnType<typeof import("./playground.js").createPlayground>} playground */
async function numbers(playground) {
  /** @type {Record<string, number>} */
  const out = {};
  for (const name of names) out[name] = await playground.number(name);
  return out;
}

/** No share is above the one before it, and together they are at most 100 %.
 * @param {ReturnType<typeof import("./playground.js").createPlayground>} playground */
async function barsAddUp(playground) {
  const rows = await playground.rows();
  const sum = rows.reduce((total, r) => total + r.final, 0);
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(1.007); // twelve numbers, rounded to 0.1 %
  const model = rows.map((r) => r.model);
  expect(model).toEqual([...model].sort((a, b) => b - a));
}

test("the line of p is dragged by its handle, also from right to left @everywhere", async ({
  page,
  playground,
}) => {
  await playground.open();
  for (const dir of ["ltr", "rtl"]) {
    await page.evaluate((to) => {
      document.documentElement.dir = to;
    }, dir);
    await playground.set("Top-p", 0.9);
    await expect(page.locator(".curvepanel .pline b")).toHaveText("p 0.90");
    await page.locator(".curvepanel").scrollIntoViewIfNeeded();
    const handle = await page.locator(".curvepanel .pline b").boundingBox();
    if (!handle) throw new Error("no handle");
    const [x, y] = [handle.x + handle.width / 2, handle.y + handle.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y + 30);
    await page.mouse.move(x, y + 60);
    await page.mouse.up();
    const moved = async () => Number(await playground.setting("Top-p").box.inputValue());
    await expect.poll(moved).toBeLessThan(0.75);
    expect(await moved()).toBeGreaterThan(0.3);
    const now = await page.locator(".curvepanel .pline b").boundingBox();
    expect(Math.abs((now?.y ?? 0) - handle.y - 60)).toBeLessThan(6);
  }
  await page.evaluate(() => {
    document.documentElement.dir = "ltr";
  });
});

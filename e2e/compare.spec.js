import { expect, test as freshTest, keptTest as test } from "./fixtures.js";
import { finished } from "./looks.js";
import { fillNumber } from "./playground.js";

/** @typedef {import("@playwright/test").Page} Page */

/** @param {Page} page */
const panes = (page) => page.getByRole("article", { name: /^Pane / });

/** The generated texts, pane by pane, once all are done. @param {Page} page */
async function texts(page) {
  await finished(page);
  const all = [];
  for (const pane of await panes(page).all())
    all.push((await pane.locator(".ptext .t").allTextContents()).join(""));
  return all;
}

/** @param {Page} page */
const decoders = (page) =>
  page
    .locator(".pane header select")
    .evaluateAll((menus) => menus.map((m) => /** @type {HTMLSelectElement} */ (m).value));

/** Greedy, beam search, pure sampling, top-k and top-p. @param {Page} page */
async function five(page) {
  const wanted = ["greedy", "beam", "pure", "topk", "topp"];
  while ((await panes(page).count()) < 5)
    await page.getByRole("button", { name: "Add a pane" }).click();
  for (const [i, name] of wanted.entries())
    await panes(page).nth(i).getByRole("combobox").first().selectOption(name);
  await expect.poll(() => decoders(page)).toEqual(wanted);
}

freshTest("a link says its panes, also those of the start", async ({ page, playground }) => {
  await playground.open("#compare?prompt=A");
  await expect.poll(() => page.url()).toContain("pane=greedy!greedy!");
});

test.beforeEach(({ playground }) => playground.open("#compare?prompt=The+cat+ran+after+a"));

test("five decoders on one prompt and one seed: texts, charts and numbers @everywhere", async ({
  page,
}) => {
  await five(page);
  const all = await texts(page);
  expect(all).toHaveLength(5);
  for (const text of all) expect(text.trim()).not.toBe("");
  expect(new Set(all).size).toBeGreaterThan(2);
  for (const pane of await panes(page).all()) {
    await expect(pane).toContainText("The cat ran after a");
    await expect(pane.locator("figure svg")).toHaveCount(3);
    await expect(pane.locator("figcaption b")).toHaveText([/\d/, /\d/, /\d/]);
  }
  const metrics = page.locator("table.metrics");
  await expect(metrics.locator("tbody tr")).toHaveCount(5);
  await expect(metrics).not.toContainText(/NaN|Infinity|undefined|null/);
});

test("the same seed gives the same texts; another changes those that throw a die", async ({
  page,
  playground,
}) => {
  await five(page);
  const first = await texts(page);
  await fillNumber(playground.view.getByRole("spinbutton", { name: "Seed" }), "4711");
  const other = await texts(page);
  expect(other[2]).not.toBe(first[2]);
  expect(other.slice(0, 2)).toEqual(first.slice(0, 2));
  await page.reload();
  expect(await texts(page)).toEqual(other);
});

test("a pane's text is what the decoder writes alone @everywhere", async ({ page, playground }) => {
  const [greedy] = await texts(page);
  await page.getByRole("link", { name: "Explore" }).click();
  await playground.view
    .getByRole("combobox", { name: "Strategy" })
    .selectOption({ label: "Greedy" });
  for (let n = 1; n <= 6; n++) {
    await playground.button("Take this token").click();
    await expect(playground.drawnTokens).toHaveCount(n);
  }
  expect(greedy.startsWith((await playground.textNow()).join(""))).toBe(true);
});

test("panes are added, duplicated, changed and removed: two at least, six at most", async ({
  page,
}) => {
  await texts(page);
  const add = page.getByRole("button", { name: "Add a pane" });
  while ((await panes(page).count()) < 6) await add.click();
  await expect(add).toBeDisabled();
  await expect(
    panes(page)
      .first()
      .getByRole("button", { name: /Duplicate/ }),
  ).toBeDisabled();

  while ((await panes(page).count()) > 2) {
    await panes(page)
      .last()
      .getByRole("button", { name: /Remove/ })
      .press("Enter");
    await expect(panes(page).last().locator(".paneacts :focus")).toBeVisible();
  }
  await expect(
    panes(page)
      .last()
      .getByRole("button", { name: /Remove/ }),
  ).toBeDisabled();

  await panes(page)
    .first()
    .getByRole("button", { name: /Duplicate/ })
    .click();
  await expect(panes(page)).toHaveCount(3);
  const [a, b] = await texts(page);
  expect(b).toBe(a);
  await expect(panes(page).nth(1)).toContainText(/same/i);
});

test("a pane has settings of its own", async ({ page }) => {
  const before = await texts(page);
  const pane = panes(page).nth(2);
  await pane.getByRole("button", { name: /settings/i }).click();
  await fillNumber(pane.getByRole("spinbutton", { name: "Top-k, number" }), "1");
  await expect(pane.locator("header")).toContainText("k 1");
  expect((await texts(page))[2]).toBe(before[0]);
});

test("a pane that is removed is told of no theme any more", async ({ page }) => {
  await page.addInitScript(() => {
    const listening = { now: 0 };
    Object.assign(window, { listening });
    const { addEventListener: add, removeEventListener: remove } = MediaQueryList.prototype;
    Object.assign(MediaQueryList.prototype, {
      addEventListener(/** @type {Parameters<typeof add>} */ ...args) {
        listening.now++;
        add.apply(/** @type {any} */ (this), args);
      },
      removeEventListener(/** @type {Parameters<typeof remove>} */ ...args) {
        listening.now--;
        remove.apply(/** @type {any} */ (this), args);
      },
    });
  });
  await page.reload();
  await texts(page);
  const listening = () => page.evaluate(() => /** @type {any} */ (window).listening.now);
  const before = await listening();
  await page.getByRole("button", { name: "Add a pane" }).click();
  await texts(page);
  expect(await listening()).toBeGreaterThan(before);
  await panes(page)
    .last()
    .getByRole("button", { name: /Remove/ })
    .click();
  expect(await listening()).toBe(before);
});

test("what is set in a pane stays while the texts run", async ({ page }) => {
  await texts(page);
  const pane = panes(page).nth(2);
  await pane.getByRole("button", { name: /settings/i }).click();
  const box = pane.getByRole("spinbutton", { name: "Top-k, number" });
  await page.getByRole("combobox", { name: "Length" }).selectOption({ label: "200 tokens" });
  await box.press("ControlOrMeta+a");
  await box.pressSequentially("17", { delay: 100 });
  await expect(box).toHaveValue("17");
  await expect(pane.locator("header")).toContainText("k 17");
});

test("the prompt can be changed here, and is the same in Explore", async ({ page, playground }) => {
  await texts(page);
  const box = playground.view.getByRole("textbox", { name: "Prompt" });
  await box.fill("Once\nupon a time");
  await expect(panes(page).first().locator(".ptext")).toContainText("Once\nupon a time");
  await box.fill("Once upon a time");
  await expect(panes(page).first()).toContainText("Once upon a time");
  await texts(page);
  await page.getByRole("link", { name: "Explore" }).click();
  await expect(playground.promptTokens).toHaveText(["Once", " upon", " a", " time"]);
});

test("a seed that cannot be is told, and the texts stay", async ({ page }) => {
  const before = await texts(page);
  const seed = page.getByRole("spinbutton", { name: "Seed" });
  await fillNumber(seed, "1.5");
  await seed.press("Tab");
  await expect(page.getByRole("alert").filter({ hasText: "Seed" })).toContainText("whole number");
  expect(await texts(page)).toEqual(before);
  await fillNumber(seed, "3");
  await expect(seed).not.toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("alert").filter({ hasText: "Seed" })).toHaveCount(0);
});

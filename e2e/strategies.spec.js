import { expect, test as freshTest, keptTest as test } from "./fixtures.js";
import { finished, shoot } from "./looks.js";
import { fillNumber } from "./playground.js";

/** @typedef {import("@playwright/test").Page} Page */

/** What each strategy is called in the menu. */
const strategies = [
  "Greedy",
  "Sampling",
  "Beam search",
  "Beam sampling",
  "Diverse beam search",
  "Contrastive search",
  "DoLa",
  "Prompt lookup",
  "Draft model",
  "Mirostat 1",
  "Mirostat 2",
];

/** @param {Page} page @param {string} label */
const choose = (page, label) =>
  page
    .locator("#view-explore .controls")
    .getByRole("combobox", { name: "Strategy" })
    .selectOption({ label });

for (const label of strategies)
  test(`${label} writes a text, and says what it does`, async ({ page, playground }) => {
    await playground.open("#explore?prompt=The+cat+ran+after+a");
    await playground.endless();
    await choose(page, label);
    const panel = page.locator("#view-explore .controls");
    await expect(panel.locator(".formula").filter({ visible: true }).first()).toHaveText(/\S/);
    for (let n = 0; n < 4; n++) {
      const before = await playground.textNow();
      await page.locator(".stepbar .btn.primary").first().click();
      await expect.poll(() => playground.textNow()).not.toEqual(before);
    }
    await expect(page.locator(".outcome")).toContainText("perplexity");
    await shoot(page, `strategy-${label.toLowerCase().replaceAll(" ", "-")}`);
  });

test("a step of a beam search says who competed and why the top token lost", async ({
  playground,
}) => {
  await playground.open(
    "#explore?v=1&prompt=The+cat+ran+after+a&strategy=beam,num_beams=4&stages=&eos=0",
  );
  await playground.button("Draw").or(playground.button("Take this")).first().click();
  await expect(playground.why).toContainText(/^4 texts compete: .+ leads with a sum of −\d/);
  await playground.run();
  await playground.drawnTokens.first().click();
  await expect(playground.why).toContainText(/With \S+ this text had a sum of −\d.+ had −\d/);
  await expect(playground.why.getByRole("link", { name: "Beams" })).toBeVisible();
});

test("six panes with six strategies run together @everywhere", async ({ page, playground }) => {
  const names = ["greedy", "sampling", "beam", "contrastive", "dola", "mirostat_v2"];
  const panes = names.map((name) => `pane=own!${name}!`).join("&");
  await playground.open(`#compare?v=1&prompt=The+cat+ran+after+a&length=30&${panes}`);
  await finished(page);
  await expect(page.locator(".pane")).toHaveCount(6);
  const texts = [];
  for (const pane of await page.locator(".pane").all()) {
    texts.push((await pane.locator(".ptext .t").allTextContents()).join(""));
    await expect(pane.locator("figcaption b")).toHaveText([/\d/, /\d/, /\d/]);
  }
  for (const text of texts) expect(text.trim()).not.toBe("");
  expect(new Set(texts).size).toBeGreaterThan(3);
  await expect(page.locator("table.metrics tbody tr")).toHaveCount(6);
  await shoot(page, "six-strategies");
});

test("guesses that were accepted and rejected are marked, and the passes counted", async ({
  page,
  playground,
}) => {
  await playground.open("#explore?prompt=The+cat+sat.+The+cat+sat.+The+cat");
  await choose(page, "Draft model");
  await playground.button("Run").click();
  await expect(page.locator(".outcome")).toContainText(/passes of the model/, { timeout: 30_000 });
  await expect(playground.button("Run")).toBeVisible({ timeout: 60_000 });
  await expect(page.locator(".tok.guessed, .tok[data-rejected]").first()).toBeVisible();
});

freshTest(
  "every kind is found by the keyboard, with what it does and its formula",
  async ({ page, playground }) => {
    await playground.open();
    const panel = page.locator("#view-explore .controls");
    const button = panel.getByRole("button", { name: "Add a stage" });
    await button.focus();
    await page.keyboard.press("Enter");
    const picks = panel.locator(".pick").filter({ visible: true });
    await expect.poll(() => picks.count()).toBeGreaterThan(26);
    for (const pick of await picks.all()) {
      await expect(pick.locator(".pickdoc")).toHaveText(/\S/);
      await expect(pick.locator(".formula")).toHaveText(/\S/);
    }
    await page.keyboard.type("top choices");
    await expect(picks).toHaveCount(1);
    await shoot(page, "picker", { fullPage: false });
    await page.keyboard.press("Enter");
    await expect(panel.getByRole("switch", { name: "Use XTC" })).toBeFocused();
    await expect(panel.getByRole("switch", { name: "Use XTC" })).toBeChecked();
  },
);

test("a stage can stand twice, and each has settings of its own", async ({ page, playground }) => {
  await playground.open();
  const panel = page.locator("#view-explore .controls");
  await panel.getByText("Order of the stages").click();
  await panel.getByRole("button", { name: "Duplicate Top-k" }).click();
  const boxes = panel.getByRole("spinbutton", { name: "Top-k, number" });
  await expect(boxes).toHaveCount(2);
  await fillNumber(boxes.nth(1), "3");
  await expect(boxes.nth(0)).toHaveValue("40");
  await expect.poll(() => playground.number("nucleus")).toBeLessThanOrEqual(3);
});

test("a limit on the whole text stops it, and says why", async ({ page, playground }) => {
  await playground.open(
    "#explore?v=1&prompt=The+cat+ran+after+a&strategy=greedy&stages=&max_length=8&eos=0",
  );
  await playground.button("Run").click();
  await expect(page.locator(".sentence .end")).toHaveText(/length reached/);
  await expect(playground.drawnTokens).toHaveCount(3);
});

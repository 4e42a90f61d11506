import { expect, keptTest as test } from "./fixtures.js";
import { numberIn } from "./playground.js";

test.beforeEach(async ({ page, playground }) => {
  await playground.open();
  await playground.only({ Temperature: 0.9, "Top-k": 20 });
  await page.getByRole("button", { name: "Table" }).click();
  await expect(
    page.getByRole("region", { name: /^Table of tokens/ }).locator("tbody tr"),
  ).toHaveCount(30);
});

/** @param {import("@playwright/test").Page} page */
async function lines(page) {
  const cells = await page
    .getByRole("region", { name: /^Table of tokens/ })
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((r) => [...r.children].map((c) => c.textContent ?? "")));
  return cells.map(([rank, token, id, logit, model, final, sum, fate]) => ({
    rank: Number(rank),
    token,
    id: Number(id),
    logit: numberIn(logit),
    model: numberIn(model),
    final: numberIn(final),
    sum: numberIn(sum),
    fate,
  }));
}

test("what is kept adds up to 100 %, what is cut says by which stage", async ({ page }) => {
  await expect
    .poll(async () => (await lines(page)).filter((l) => l.fate === "stays").length)
    .toBe(20);
  const kept = (await lines(page)).filter((l) => l.fate === "stays");
  const total = kept.reduce((sum, l) => sum + l.final, 0);
  expect(total).toBeCloseTo(100, 0);
  expect(kept.at(-1)?.sum).toBeCloseTo(100, 1);
  const cut = (await lines(page)).filter((l) => l.fate !== "stays");
  for (const { fate } of cut) expect(fate).toMatch(/top-k/i);
});

test("ranks go up, logits and shares go down, ids are of the vocabulary", async ({ page }) => {
  const all = await lines(page);
  expect(all.map((l) => l.rank)).toEqual(all.map((_, i) => i + 1));
  for (const [i, line] of all.entries()) {
    expect(line.id).toBeGreaterThanOrEqual(0);
    expect(line.id).toBeLessThan(50257);
    if (i === 0) continue;
    expect(line.logit).toBeLessThanOrEqual(all[i - 1].logit);
    expect(line.model).toBeLessThanOrEqual(all[i - 1].model);
  }
});

test("shares follow from the logits", async ({ page }) => {
  const [a, b] = await lines(page);
  // Two logits with two decimals each: the ratio of their shares to a few per cent.
  expect(a.model / b.model / Math.exp(a.logit - b.logit)).toBeCloseTo(1, 1);
  await expect
    .poll(async () => {
      const [c, d] = await lines(page);
      return c.final / d.final / Math.exp((c.logit - d.logit) / 0.9);
    })
    .toBeCloseTo(1, 1);
});

test("bars come back", async ({ page, playground }) => {
  await page.getByRole("button", { name: "Bars" }).click();
  await expect(playground.take).toHaveCount(12);
});

test("why a token is cut never lies over its numbers, and a banned top token has its name", async ({
  page,
  playground,
}) => {
  await playground.open(
    "#explore?v=1&prompt=The+cat+ran+after+a&strategy=sampling&stages=temperature:1;suppress_tokens:&list=suppress_tokens.suppress_tokens=+mouse",
  );
  await page.getByRole("button", { name: "Bars" }).click();
  await page.setViewportSize({ width: 1024, height: 900 });
  const row = page.locator(".bars tbody tr", { hasText: "cut by" }).first();
  const reason = await row.locator(".tag > span").boundingBox();
  const number = await row
    .locator("td.n")
    .nth(1)
    .evaluate((td) => {
      const range = document.createRange();
      range.selectNodeContents(td);
      return range.getBoundingClientRect().left;
    });
  expect((reason?.x ?? 0) + (reason?.width ?? 0)).toBeLessThan(number);
  await expect(page.locator(".ribbonbox")).toContainText(/mouse/);
});

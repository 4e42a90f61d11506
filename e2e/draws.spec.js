import { expect, keptTest as test } from "./fixtures.js";
import { numberIn } from "./playground.js";

/** @param {import("@playwright/test").Page} page */
const rows = (page) =>
  page.locator(".drawtable tbody tr").evaluateAll((all) =>
    all.map((row) => ({
      token: row.querySelector("th")?.textContent ?? "",
      cells: [...row.querySelectorAll("td.n")].map((c) => c.textContent ?? ""),
      outside: row.classList.contains("outside"),
    })),
  );

test.beforeEach(({ playground }) =>
  playground.open(
    "#draws?v=1&prompt=Once+upon+a&strategy=sampling&stages=temperature:1.5;top_k:40&seed=21&draws=1000,10,3,0",
  ),
);

test("the counts add up, and whiskers are 1.96 standard errors", async ({ page }) => {
  await expect(page.locator(".drawsay")).not.toBeEmpty();
  const all = await rows(page);
  const sum = (/** @type {number} */ i) =>
    all.reduce((total, r) => total + numberIn(r.cells[i]), 0);
  expect(sum(0)).toBe(1000);
  expect(sum(2)).toBeGreaterThan(99);
  expect(sum(2)).toBeLessThan(101);
  for (const { cells, outside } of all) {
    const [drawn, expected, error] = [1, 2, 3].map((i) => numberIn(cells[i]) / 100);
    const want = 1.96 * Math.sqrt((expected * (1 - expected)) / 1000);
    expect(Math.abs(error - want)).toBeLessThan(0.0015);
    if (outside) expect(Math.abs(drawn - expected)).toBeGreaterThan(error - 0.001);
    else expect(Math.abs(drawn - expected)).toBeLessThan(error + 0.001);
  }
  // 13 tokens and the others: more than three outside has a chance of one in two thousand.
  expect(all.filter((r) => r.outside).length).toBeLessThanOrEqual(3);
});

test("the same seed throws the same, another does not @everywhere", async ({
  page,
  playground,
}) => {
  const before = await rows(page);
  await page.reload();
  await playground.ready();
  expect(await rows(page)).toEqual(before);
  await page.getByRole("button", { name: "Throw again" }).click();
  await expect.poll(() => rows(page)).not.toEqual(before);
  await expect.poll(() => page.url()).toContain("draws=1000,10,3,1");
});

test("ten times more throws make the error smaller", async ({ page }) => {
  await page.getByRole("button", { name: "10", exact: true }).click();
  await expect(page.getByText("10 throws")).toBeVisible();
  const few = numberIn((await rows(page))[0].cells[3]);
  await page.getByRole("button", { name: "1,000" }).click();
  await expect(page.getByText("1,000 throws")).toBeVisible();
  const many = numberIn((await rows(page))[0].cells[3]);
  expect(few / many).toBeGreaterThan(9);
  expect(few / many).toBeLessThan(11);
  await page.getByRole("button", { name: "1", exact: true }).click();
  await expect(page.locator(".drawsay")).toHaveText(/almost nothing/);
});

test("counts of a link that are not offered are shown, and go with another choice", async ({
  page,
  playground,
}) => {
  await playground.open("#draws?v=1&prompt=Once+upon+a&strategy=sampling&stages=&draws=55,7,5,0");
  const counts = page.getByRole("group", { name: "How many throws" }).getByRole("button");
  await expect(page.getByText("55 throws")).toBeVisible();
  await expect(counts).toHaveText(["1", "10", "55", "100", "1,000"]);
  await expect(counts.nth(2)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByLabel("How many texts")).toHaveValue("7");
  await expect(page.locator("#grow-length")).toHaveValue("5");
  await counts.nth(3).click();
  await expect(counts).toHaveText(["1", "10", "100", "1,000"]);
  await expect(counts.nth(2)).toHaveAttribute("aria-pressed", "true");
  await playground.open("#beams?v=1&prompt=Once+upon+a&beams=3,6,0.55");
  await expect(page.locator(".beam-lp-out").first()).toHaveText("0.55");
});

test("whole texts merge into a tree whose counts add up @everywhere", async ({ page }) => {
  const write = page.getByRole("button", { name: "Write them" });
  await write.click();
  const tiers = page.locator(".tier");
  await expect(tiers).toHaveCount(3);
  await expect(write).not.toHaveAttribute("aria-disabled"); // all are written to their ends
  const counts = await tiers.evaluateAll((all) =>
    all.map((tier) =>
      [...tier.querySelectorAll("i")].reduce((sum, i) => sum + Number(i.textContent), 0),
    ),
  );
  expect(counts[0]).toBe(10);
  for (const n of counts) expect(n).toBeLessThanOrEqual(10);
  const listed = await page.locator(".grown .times").allTextContents();
  expect(listed.reduce((sum, text) => sum + numberIn(text), 0)).toBe(10);
  await page.locator(".grown").first().press("Enter");
  await expect(page.locator(".grown").first()).toHaveAttribute("aria-pressed", "true");
  await expect(page.locator(".tier .chosen")).toHaveCount(3);
});

test("the first text is the one that Explore writes with this seed", async ({
  page,
  playground,
}) => {
  await page.getByLabel("How many texts").selectOption({ index: 0 });
  const write = page.getByRole("button", { name: "Write them" });
  await write.click();
  await expect(page.locator(".tier")).toHaveCount(3);
  await expect(write).not.toHaveAttribute("aria-disabled");
  const texts = await page.locator(".grown .w").allTextContents();
  await page.getByRole("link", { name: "Explore" }).click();
  for (let n = 1; n <= 3; n++) {
    await playground.button("Draw this token").click();
    await expect(playground.drawnTokens).toHaveCount(n);
  }
  const written = (await playground.textNow()).join("");
  expect(texts.map((text) => text.trim())).toContain(written.trim());
});

test("a strategy without a die says what is thrown here", async ({ page, playground }) => {
  await playground.open("#draws?v=1&prompt=Once+upon+a&strategy=greedy&stages=&seed=21");
  await expect(page.locator(".ctxline")).toContainText("Greedy throws no die");
});

test("no throws and no tree of another prompt stand under one that can't be read", async ({
  page,
  playground,
}) => {
  const long = "a+".repeat(400);
  /** @param {string} to */
  const follow = (to) =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, to);
  await expect(page.locator(".drawpicture .piece").first()).toBeVisible();
  await follow(`#draws?v=1&prompt=${long}`);
  await expect(page.locator("#view-draws > .panel").filter({ visible: true })).toHaveCount(0);
  await playground.open("#beams?v=1&prompt=Once+upon+a&beams=3,6,1");
  await expect(page.locator(".tree .node.live").first()).toBeVisible();
  await follow(`#beams?v=1&prompt=${long}`);
  await expect(page.locator("#view-beams > .panel").filter({ visible: true })).toHaveCount(0);
});

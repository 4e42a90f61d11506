import { expect, keptTest as test } from "./fixtures.js";

test.beforeEach(({ playground }) => playground.open());

test("typing a prompt changes chips and bars", async ({ playground }) => {
  const before = await playground.rows();
  await playground.type("Once upon a time");
  await expect(playground.promptTokens).toHaveText(["Once", " upon", " a", " time"]);
  await expect.poll(async () => (await playground.rows())[0].token).not.toBe(before[0].token);
});

test("bytes that are no character are shown as bytes", async ({ playground }) => {
  await playground.type("👋");
  await expect(playground.promptTokens).toHaveCount(2);
  await expect(playground.promptTokens.first()).toContainText("F0");
});

test("<|endoftext|> is plain text, unless its switch is on", async ({ page, playground }) => {
  await playground.type("<|endoftext|>");
  await expect(playground.promptTokens).toHaveCount(7);
  await playground.type("Hello");
  await expect(playground.promptTokens).toHaveCount(1);
  await page.getByRole("button", { name: "Edit" }).first().click();
  await page.locator("#bos").check();
  await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
  await expect(playground.promptTokens).toHaveCount(2);
});

test("a space at the end is pointed out and can be removed", async ({ page, playground }) => {
  const hint = page.locator(".hintspace");
  await expect(hint).not.toBeVisible();
  await playground.type("The cat ");
  await expect(hint).toBeVisible();
  await hint.getByRole("button").click();
  await expect(hint).not.toBeVisible();
  await expect(playground.promptTokens).toHaveText(["The", " cat"]);
});

test("an example can be picked", async ({ page, playground }) => {
  await page.getByLabel("Examples").selectOption("The capital of France is");
  await expect(playground.promptTokens).toHaveCount(5);
  await expect(playground.text).toContainText("The capital of France is");
});

test("an empty prompt is told, and the next one is read", async ({ page, playground }) => {
  await playground.type("");
  const state = page.locator(".state:visible");
  await expect(state).toContainText("at least one token");
  await playground.type("Hello");
  await expect(playground.promptTokens).toHaveText(["Hello"]);
  await expect(state).toHaveCount(0);
  await expect(playground.take.first()).toBeVisible();
});

test("a lone surrogate and NUL are taken as text", async ({ page, playground }) => {
  await page.getByRole("button", { name: "Edit" }).first().click();
  await page.locator("#prompt").evaluate((area) => {
    /** @type {HTMLTextAreaElement} */ (area).value = "a\ud800b\u0000c";
    area.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.locator("#prompt").press("Enter");
  await expect.poll(() => playground.promptTokens.count()).toBeGreaterThan(4);
  await expect(playground.take.first()).toBeVisible();
});

test("a whole book pasted is told at once, and a short prompt is read after it", async ({
  page,
  playground,
}) => {
  await playground.type("The cat sat. ".repeat(15_000));
  const state = page.locator(".state:visible");
  await expect(state).toContainText("60,001 tokens", { timeout: 15_000 });
  const note = page.locator(".sentence .cutnote");
  await playground.button("Edit").first().click();
  await expect(note).toBeHidden();
  await page.locator("#prompt").fill("The cat sat. ".repeat(80_000));
  await expect(note).toHaveText(/^Only the first 200,000 characters/);
  await expect(state).toContainText("tokens");
  await page.locator("#prompt").press("Enter"); // the box is left, and the line stays
  await expect(page.locator("#prompt")).toBeHidden();
  await expect(note).toBeVisible();
  await playground.button("Edit").first().click();
  await page.locator("#prompt").fill("Hello");
  await expect(note).toBeHidden();
  await page.locator("#prompt").press("Enter");
  await expect(playground.promptTokens).toHaveText(["Hello"]);
  await expect(state).toHaveCount(0);
});

test("a step at once after a prompt is one of that prompt", async ({ page, playground }) => {
  await playground.open("#explore?v=1&prompt=Once+upon+a&stages=temperature:0.8&eos=0");
  await playground.button("Edit").first().click();
  await page.getByRole("textbox", { name: "Prompt" }).fill("Tom said");
  await page.evaluate(() => {
    const box = /** @type {HTMLElement} */ (document.activeElement);
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    /** @type {HTMLElement} */ (document.querySelector(".stepbar .next .btn")).click();
  });
  await expect(playground.promptTokens).toHaveText(["Tom", "said"]);
  await expect(playground.drawnTokens).toHaveCount(1);
  await playground.settled();
  await expect(playground.drawnTokens).toHaveCount(1);
});

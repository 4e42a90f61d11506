import { expect, keptTest as test } from "./fixtures.js";

/** Tokens of the default model's context. @param {import("@playwright/test").Page} page */
async function contextOf(page) {
  return page.evaluate(async () => {
    const [model] = await (await fetch("models/index.json")).json();
    const manifest = await (await fetch(`models/${model.id}/manifest.json`)).json();
    return manifest.config.n_positions;
  });
}

test("a full context stops the run, says so, and leads back", async ({ page, playground }) => {
  await playground.open();
  await playground.endless();
  const context = await contextOf(page);
  await playground.type("a".padEnd(2 * (context - 3), " a"));
  await expect(playground.promptTokens).toHaveCount(context - 2, { timeout: 20_000 });
  await playground.button("Run").click();
  const state = page.locator(".state:visible");
  await expect(state).toContainText(String(context));
  const full = await playground.drawnTokens.count();
  expect(full).toBeGreaterThan(0);
  // There is no next step: the picture is of the last one, and nothing is refused.
  await expect(page.locator(".refused")).toBeHidden();
  await expect(playground.take.first()).toBeVisible();
  await page.reload();
  await expect(playground.drawnTokens).toHaveCount(full);
  await expect(playground.take.first()).toBeVisible();
  await expect(page.locator(".refused")).toBeHidden();
  await state.getByRole("button").first().click();
  await expect(state).toHaveCount(0);
  await expect.poll(() => playground.drawnTokens.count()).toBeLessThan(full);
});

test("a prompt longer than the context is refused before the work", async ({
  page,
  playground,
}) => {
  await playground.open();
  const context = await contextOf(page);
  await playground.type("a".padEnd(2 * (context + 20), " a"));
  const state = page.locator(".state:visible");
  await expect(state).toContainText(String(context));
  await state.getByRole("button").first().click();
  await expect(state).toHaveCount(0);
  await expect(playground.take.first()).toBeVisible();
});

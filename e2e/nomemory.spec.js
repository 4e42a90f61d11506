import { expect, test } from "./fixtures.js";

test.use({
  allowedErrors: /memory|fatal|goroutine|runtime|exit code|Maximum/i,
  // 8 MB of WebAssembly memory: the engine starts, and no model fits.
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), "--js-flags=--wasm-max-mem-pages=128"];
      await use({ ...launchOptions, args });
    },
    { scope: "worker" },
  ],
});

test("a device without the memory says so, and keeps what was typed", async ({ page }) => {
  await page.goto("./#explore?prompt=My+own+words");
  const state = page.locator(".state:visible");
  await expect(state.getByRole("button").first()).toBeVisible({ timeout: 30_000 });
  await expect(state).toContainText(/memory/i);
  await expect.poll(() => page.url()).toContain("My+own+words");
});

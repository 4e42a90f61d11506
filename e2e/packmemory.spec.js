import { writeFile } from "node:fs/promises";
import { byteTokenizer, configFile, file } from "./checkpoint.js";
import { expect, test } from "./fixtures.js";

test.use({
  allowedErrors: /memory|fatal|goroutine|runtime|exit code|Maximum/i,
  // 80 MB of WebAssembly memory: the small model fits, a long header does not.
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), "--js-flags=--wasm-max-mem-pages=1280"];
      await use({ ...launchOptions, args });
    },
    { scope: "worker" },
  ],
});

test("a checkpoint that there is no memory to pack: that is said, and the model in use stays", async ({
  page,
  playground,
}, info) => {
  await playground.open();
  const menu = page.getByRole("button", { name: /Choose a model/ });
  const before = await menu.textContent();
  const { size, files } = byteTokenizer();
  const header = Buffer.from(JSON.stringify({ __metadata__: { long: "a".repeat(45e6) } }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(header.length));
  const long = file("long.safetensors", Buffer.concat([length, header]));
  const paths = [long, configFile(size), ...files].map(async ({ name, buffer }) => {
    await writeFile(info.outputPath(name), buffer);
    return info.outputPath(name);
  });
  await page.locator(".modelfiles").setInputFiles(await Promise.all(paths));
  await expect(page.locator(".linknote")).toContainText(/not enough memory/, { timeout: 60_000 });
  await expect(menu).toHaveText(before ?? "");
});

import { byteTokenizer, configFile, file, safetensors } from "./checkpoint.js";
import { expect, keptTest as test } from "./fixtures.js";

/** Models from files of this device. */

const GPT2 = 50257;

/** @param {import("@playwright/test").Page} page */
const menuOf = (page) => ({
  button: page.getByRole("button", { name: /Choose a model/ }),
  rows: page.locator(".modellist li"),
  row: (/** @type {string} */ name) => page.locator(".modellist li", { hasText: name }),
});

test("a checkpoint: packed here, kept over a reload, deleted", async ({ page, playground }) => {
  await playground.open();
  const menu = menuOf(page);
  await menu.button.click();
  await expect(menu.rows).toHaveCount(1);
  await page
    .locator(".modelfiles")
    .setInputFiles([configFile(GPT2), safetensors("tiny.safetensors", GPT2)]);
  await expect(menu.button).toContainText("tiny");
  await expect(menu.row("tiny")).toContainText("In use. 1 layers, reads 64 tokens.");
  await expect(menu.row("tiny")).toContainText("8 bits, 64 tokens");
  await page.keyboard.press("Escape");
  await playground.ready();
  await expect(playground.shown("nucleus")).toContainText("50,257");

  await page.reload();
  await playground.ready();
  await expect(menu.button).toContainText("tiny");
  await menu.button.click();
  await menu.row("tiny").getByRole("button", { name: "Delete tiny" }).click();
  await expect(menu.rows).toHaveCount(1);
  await page.reload();
  await playground.ready();
  await expect(menu.button).not.toContainText("tiny");
  const left = await page.evaluate(
    async () => (await (await caches.open("models-1")).keys()).length,
  );
  await menu.button.click();
  await expect(menu.rows).toHaveCount(1);
  expect(left).toBe(2); // the default model's record and part
});

test("a checkpoint in two files with a vocabulary of its own, dropped", async ({
  page,
  playground,
}) => {
  await playground.open();
  const menu = menuOf(page);
  await menu.button.click();
  const { size, files } = byteTokenizer();
  const dropped = [
    ...files,
    configFile(size),
    safetensors("model-00001-of-00002.safetensors", size, (t) => t.startsWith("h.")),
    safetensors("model-00002-of-00002.safetensors", size, (t) => !t.startsWith("h.")),
    file("model.safetensors.index.json", { weight_map: {} }),
  ].map(({ name, buffer }) => ({ name, base64: buffer.toString("base64") }));
  await page.evaluate(async (list) => {
    const dataTransfer = new DataTransfer();
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], name));
    }
    const menu = document.querySelector("#models");
    menu?.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, dropped);
  await expect(menu.button).toContainText("model-0000");
  await page.keyboard.press("Escape");
  await expect(playground.shown("nucleus")).toContainText(String(size));
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(1);
});

test("what is no GPT-2: said in words, and the model in use stays", async ({
  page,
  playground,
}) => {
  await playground.open("#explore?model=storybook-4m");
  const menu = menuOf(page);
  const before = await menu.button.textContent();
  const { size, files } = byteTokenizer();
  const good = safetensors("tiny.safetensors", size);
  const nan = Buffer.from(good.buffer);
  nan.writeUInt16LE(0x7fc0, nan.length - 2);
  const config = configFile(size);
  const cases = /** @type {[import("./checkpoint.js").PickedFile[], RegExp][]} */ ([
    [
      [file("notes.txt", Buffer.from("hello"))],
      /notes\.txt: want config\.json and model\.safetensors/,
    ],
    [[good], /config\.json: missing/],
    [[good, configFile(size, { model_type: "llama" }), ...files], /model_type/],
    [[good, config], /vocab_size: 258, want GPT-2.s 50257/],
    [[good, configFile(size, { n_layer: 2 }), ...files], /h\.1\./],
    [[file("tiny.safetensors", good.buffer.subarray(0, -9)), config, ...files], /truncated/],
    [[file("tiny.safetensors", nan), config, ...files], /finite/],
  ]);
  for (const [picked, says] of cases) {
    await page.locator(".modelfiles").setInputFiles(picked);
    await expect(playground.view).toContainText(says);
    await expect(menu.button).toHaveText(before ?? "");
  }
  const kept = await page.evaluate(async () => {
    const keys = await (await caches.open("models-1")).keys();
    return keys.filter((k) => k.url.includes("draft")).length;
  });
  expect(kept).toBe(0);
});

test("a packed folder: taken as it is", async ({ page, playground, server }) => {
  await playground.open();
  const folder = `${server.url}models/storybook-4m/`;
  const manifest = await (await fetch(`${folder}manifest.json`)).json();
  const asItLies = { headers: { "accept-encoding": "identity" } };
  const parts = await Promise.all(
    manifest.parts.map(async (/** @type {{coded_file: string}} */ { coded_file: name }) => {
      const answer = await fetch(folder + name, asItLies);
      return file(name, Buffer.from(await answer.arrayBuffer()));
    }),
  );
  const renamed = file("manifest.json", { ...manifest, name: "My folder" });
  await page.locator(".modelfiles").setInputFiles([renamed, ...parts]);
  const menu = menuOf(page);
  await expect(menu.button).toContainText("My folder");
  await playground.ready();
});

test("another model while Compare runs: the panes run on it, and of the old ones nothing is told", async ({
  page,
  playground,
}) => {
  await playground.open("#compare?prompt=The+cat+ran+after+a&length=30");
  const again = page.getByRole("button", { name: "Run again" });
  await expect(again).toBeVisible();
  // The figures of the old panes are asked for, and answered when they are gone.
  await page.evaluate(async () => {
    const app = /** @type {HTMLScriptElement} */ (document.querySelector("[src$='app.js']"));
    const { engine } = await import(new URL("start.js", app.src).href);
    const call = engine.call;
    const gate = new Promise((resolve) => Object.assign(window, { letGo: resolve }));
    engine.call = async (/** @type {string} */ method, /** @type {object} */ params) => {
      if (method === "metrics") await gate;
      return call(method, params);
    };
  });
  await again.click();
  const { size, files } = byteTokenizer();
  await page
    .locator(".modelfiles")
    .setInputFiles([...files, configFile(size), safetensors("tiny.safetensors", size)]);
  await expect(menuOf(page).button).toContainText("tiny");
  await page.evaluate("letGo()");
  await playground.settled();
  await expect(page.locator(".pane .t").first()).toHaveText(/\S/);
  await expect(again).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(0);
});

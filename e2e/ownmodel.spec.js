import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { as, byteTokenizer, configFile, file, safetensors } from "./checkpoint.js";
import { expect, keptTest as test } from "./fixtures.js";

/** Models from files of this device. */

const GPT2 = 50257;

/** @param {import("@playwright/test").Page} page */
const menuOf = (page) => ({
  button: page.getByRole("button", { name: /Choose a model/ }),
  rows: page.locator(".modellist li"),
  row: (/** @type {string} */ name) => page.locator(".modellist li", { hasText: name }),
  /** A test before may have left it open. */
  async open() {
    if (await page.locator("#models").isHidden()) await this.button.click();
  },
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
  await expect(menu.row("tiny")).toContainText("In use. 1 layer, reads 64 tokens.");
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
  await expect(menu.button).toHaveText(/^model,/);
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
  const renamed = (/** @type {string} */ name) => ({ ...good, name });
  const nan = Buffer.from(good.buffer);
  nan.writeUInt16LE(0x7fc0, nan.length - 2);
  const long = Buffer.from(good.buffer);
  long.writeBigUInt64LE(1n << 62n);
  const config = configFile(size);
  const index = (/** @type {object} */ weight_map) =>
    file("model.safetensors.index.json", { weight_map });
  const [vocab] = files;
  const cases = /** @type {[import("./checkpoint.js").PickedFile[], RegExp][]} */ ([
    [
      [file("notes.txt", Buffer.from("hello"))],
      /notes\.txt: want config\.json and model\.safetensors/,
    ],
    [[file("gpt2.zip", Buffer.from("PK\x03\x04"))], /gpt2\.zip: want config\.json/],
    [[good], /config\.json: missing/],
    [[good, configFile(size, { model_type: "llama" }), ...files], /model_type/],
    [[good, file("config.json", Buffer.from("{")), ...files], /config/],
    [[good, configFile(size, { n_embd: 1e12 }), ...files], /n_embd/],
    [[good, configFile(size, { n_embd: 64 }), ...files], /wte\.weight: shape .*258 32.*258 64/],
    [[good, config], /vocab_size: 258, want GPT-2.s 50257/],
    [[good, config, vocab], /merges\.txt: missing/],
    [[good, configFile(size, { n_layer: 2 }), ...files], /h\.1\./],
    [[file("tiny.safetensors", good.buffer.subarray(0, -9)), config, ...files], /tiny.*truncated/],
    [[file("tiny.safetensors", Buffer.alloc(0)), config, ...files], /tiny\.safetensors: .*0 bytes/],
    [
      [file("tiny.safetensors", long), config, ...files],
      /tiny\.safetensors: .*header of \d+ bytes/,
    ],
    [[file("tiny.safetensors", nan), config, ...files], /finite/],
    [
      [
        renamed("a.safetensors"),
        index({ x: "a.safetensors", y: "b.safetensors" }),
        config,
        ...files,
      ],
      /b\.safetensors: missing, but named in model\.safetensors\.index\.json/,
    ],
    [
      [renamed("a.safetensors"), index({ x: "../../a.safetensors" }), config, ...files],
      /\.\.\/\.\.\/a\.safetensors: missing/,
    ],
    [[file("manifest.json", Buffer.from("{"))], /manifest/],
    [[file("manifest.json", { format: 7 })], /format: 7/],
  ]);
  for (const [picked, says] of cases) {
    await page.locator(".modelfiles").setInputFiles(picked);
    await expect(page.locator(".linknote")).toContainText(says);
    await expect(menu.button).toHaveText(before ?? "");
  }
  const kept = await page.evaluate(async () => {
    const keys = await (await caches.open("models-1")).keys();
    return keys.filter((k) => k.url.includes("draft")).length;
  });
  expect(kept).toBe(0);

  // In the menu, where it is open, it is said there.
  await menu.button.click();
  await page.locator(".modelfiles").setInputFiles([good]);
  await expect(page.locator(".modelfailed")).toContainText(/config\.json: missing/);
  await page.keyboard.press("Escape");
  await menu.button.click();
  await expect(page.locator(".modelfailed")).toBeHidden();
});

test("half and full floats, and the shards that an index names", async ({ page, playground }) => {
  await playground.open();
  const menu = menuOf(page);
  const { size, files } = byteTokenizer();
  const whole = [configFile(size), ...files];
  const half = safetensors("half.safetensors", size);
  // What is no number as bfloat16 stands in a file that is not the model's.
  const nan = Buffer.from(half.buffer);
  nan.writeUInt16LE(0x7fc0, nan.length - 2);
  const checkpoints = {
    f16: [...whole, as("F16", half, "f16.safetensors")],
    f32: [...whole, as("F32", half, "f32.safetensors")],
    one: [
      ...whole,
      { ...half, name: "one.safetensors" },
      file("other.safetensors", nan),
      file("model.safetensors.index.json", { weight_map: { "wte.weight": "one.safetensors" } }),
    ],
  };
  for (const [name, picked] of Object.entries(checkpoints)) {
    await page.locator(".modelfiles").setInputFiles(picked);
    await expect(menu.button).toContainText(name);
    await expect(page.locator(".linknote")).toBeHidden();
  }
});

test("a packed folder that is broken: the part is named, nothing of it is listed", async ({
  page,
  playground,
  server,
}) => {
  await playground.open();
  const menu = menuOf(page);
  await menu.open();
  const rows = await menu.rows.count();
  const before = await menu.button.textContent();
  const { manifest, parts } = await packed(server.url);
  const [first] = parts;
  const inFolder = (/** @type {object} */ changes) => ({
    ...manifest,
    parts: [{ ...manifest.parts[0], ...changes }],
  });
  // Of another hash: what is stored here would be taken.
  const unknown = file("manifest.json", inFolder({ sha256: "0".repeat(64) }));
  const cases = /** @type {[import("./checkpoint.js").PickedFile[], RegExp][]} */ ([
    [[unknown], /part-000\.bin(\.br)?: missing/],
    [[unknown, first], /part-000\.bin/],
    [[unknown, { ...first, buffer: first.buffer.subarray(9) }], /part-000/],
    [[file("manifest.json", inFolder({ file: "../part-000.bin" })), first], /file: "\.\.\/part/],
    [[file("manifest.json", inFolder({ sha256: "" })), first], /sha256/],
    [[file("manifest.json", inFolder({ bytes: 12 })), first], /parts: 12 bytes/],
  ]);
  for (const [picked, says] of cases) {
    await page.locator(".modelfiles").setInputFiles(picked);
    await expect(page.locator(".modelfailed")).toContainText(says);
    await expect(menu.button).toHaveText(before ?? "");
  }
  await page.keyboard.press("Escape");
  await menu.button.click();
  await expect(menu.rows).toHaveCount(rows);
});

test("a packed folder: taken as it is", async ({ page, playground, server }) => {
  await playground.open();
  const { manifest, parts } = await packed(server.url);
  const renamed = file("manifest.json", { ...manifest, name: "My folder" });
  await page.locator(".modelfiles").setInputFiles([renamed, ...parts]);
  const menu = menuOf(page);
  await expect(menu.button).toContainText("My folder");
  await playground.ready();
});

test("a folder that is dropped: its files are taken, its name is the model's", async ({
  page,
  playground,
}, info) => {
  await playground.open();
  const menu = menuOf(page);
  await menu.open();
  const { size, files } = byteTokenizer();
  const dir = info.outputPath("My checkpoint");
  await mkdir(join(dir, "folder in it"), { recursive: true });
  for (const { name, buffer } of [
    configFile(size),
    safetensors("model.safetensors", size),
    ...files,
  ])
    await writeFile(join(dir, name), buffer);
  await drop(page, dir);
  await expect(menu.row("My checkpoint")).toContainText("In use");

  const empty = info.outputPath("Empty");
  await mkdir(empty);
  await drop(page, empty);
  await expect(page.locator(".modelfailed")).toContainText("Empty: want config.json");
  await expect(menu.button).toContainText("My checkpoint");
});

/** Drops what lies on this machine on the menu. @param {import("@playwright/test").Page} page @param {string} path */
async function drop(page, path) {
  const { x, y } = (await page.locator("#models").boundingBox()) ?? { x: 0, y: 0 };
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of /** @type {const} */ (["dragEnter", "dragOver", "drop"]))
    await cdp.send("Input.dispatchDragEvent", { type, x: x + 20, y: y + 20, data });
}

/** The default model's folder. @param {string} site */
async function packed(site) {
  const folder = `${site}models/storybook-4m/`;
  const manifest = await (await fetch(`${folder}manifest.json`)).json();
  const asItLies = { headers: { "accept-encoding": "identity" } };
  const parts = await Promise.all(
    manifest.parts.map(async (/** @type {{coded_file: string}} */ { coded_file: name }) => {
      const answer = await fetch(folder + name, asItLies);
      return file(name, Buffer.from(await answer.arrayBuffer()));
    }),
  );
  return { manifest, parts };
}

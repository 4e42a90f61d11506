import { readFile } from "node:fs/promises";
import { expect, test } from "./fixtures.js";

/**
 * Texts and digests that native Go and Node also have to give: the browser's
 * are the same, to the last bit.
 *
 * @typedef {object} Pin
 * @property {string} prompt
 * @property {import("../web/api.d.ts").Settings} settings
 * @property {number} steps
 * @property {number[]} ids
 * @property {string} digest of all logits and probabilities after the last step
 */
const file = new URL("../wasm/testdata/pinned.json", import.meta.url);
/** @type {{model: string, hash: string, cases: Pin[]}} */
const pins = JSON.parse(await readFile(file, "utf8"));

test("the pinned texts, bit for bit @everywhere", async ({ page, playground }) => {
  expect(pins.cases.length).toBeGreaterThan(0);
  await playground.open();
  const { hash, texts } = await page.evaluate(write, pins);
  expect(hash).toBe(pins.hash);
  expect(texts).toEqual(pins.cases.map(({ prompt, ids, digest }) => ({ prompt, ids, digest })));
});

/** Runs in the page, with an engine of its own. @param {typeof pins} pins */
async function write({ model, cases }) {
  const app = /** @type {HTMLScriptElement} */ (document.querySelector("script[src$='app.js']"));
  const { createEngine } = await import(new URL("engine.js", app.src).href);
  const engine = createEngine();
  const info = await engine.loadModel(`models/${model}/`);
  const texts = [];
  for (const { prompt, settings, steps } of cases) {
    const { tokens } = await engine.call("tokenize", {
      model: info.model,
      text: prompt,
      bos: false,
    });
    const ids = tokens.map((/** @type {{id: number}} */ t) => t.id);
    let status = await engine.call("open", { model: info.model, ids, settings });
    const { session } = status;
    for (let fed = { done: 0, total: 1 }; fed.done < fed.total; )
      fed = await engine.call("feed", { session, count: 64 });
    for (let i = 0; i < steps; i++)
      [status] = (await engine.call("step", { sessions: [session] })).sessions;
    const view = await engine.call("view", { session, step: -1, rows: 1000 });
    texts.push({
      prompt,
      ids: status.text.map((/** @type {{id: number}} */ s) => s.id),
      digest: digest(view.logits, view.probs),
    });
    await engine.call("close", { session });
  }
  engine.close();
  return { hash: info.hash, texts };

  /** FNV-1a, 64 bits. @param {ArrayBufferView[]} columns */
  function digest(...columns) {
    let hash = 0xcbf29ce484222325n;
    for (const c of columns)
      for (const byte of new Uint8Array(c.buffer, c.byteOffset, c.byteLength))
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    return hash.toString(16).padStart(16, "0");
  }
}

import { readFile } from "node:fs/promises";
import { expect, test } from "./fixtures.js";

/**
 * Texts and digests that native Go and Node also have to give: the browser's
 * are the same, to the last bit.
 *
 * @typedef {import("../tools/links/engine.js").Pin} Pin
 * @typedef {{model: string, hash: string, cases: Pin[]}} Pins
 */

for (const [name, what] of [
  ["pinned.json", "the pinned texts"],
  ["links.json", "the texts of 200 links"],
])
  test(`${what}, bit for bit @everywhere`, async ({ page, playground }) => {
    const file = new URL(`../wasm/testdata/${name}`, import.meta.url);
    /** @type {Pins} */
    const pins = JSON.parse(await readFile(file, "utf8"));
    expect(pins.cases.length).toBeGreaterThan(0);
    await playground.open("#lessons");
    const { hash, texts } = await page.evaluate(write, pins);
    expect(hash).toBe(pins.hash);
    const want = pins.cases.map(({ link, prompt, ids, digest }) => [link ?? prompt, ids, digest]);
    expect(texts).toEqual(want);
  });

/** Runs in the page, with an engine of its own. @param {Pins} pins */
async function write({ model, cases }) {
  const app = /** @type {HTMLScriptElement} */ (document.querySelector("script[src$='app.js']"));
  const module = (/** @type {string} */ name) => import(new URL(name, app.src).href);
  const { createEngine } = await module("engine.js");
  const { readFragment } = await module("readfragment.js");
  const { checked, toWire } = await module("settings.js");
  const { loadToy } = await module("widget/model.js");
  const engine = createEngine();
  const described = await engine.call("describe", {});
  const info = await engine.loadModel(`models/${model}/`);
  const texts = [];
  for (const pin of cases) {
    const own = pin.toy ? await loadToy(engine, pin.toy) : info;
    const { model, promptIds } = own;
    const { tokens } = await engine.call("tokenize", {
      model: info.model,
      text: pin.prompt,
      bos: false,
    });
    const ids = pin.toy ? promptIds : tokens.map((/** @type {{id: number}} */ t) => t.id);
    const settings = pin.link ? await ofLink(pin.link, own) : pin.settings;
    let status = await engine.call("open", { model, ids, settings });
    const { session } = status;
    for (let fed = { done: 0, total: 1 }; fed.done < fed.total; )
      fed = await engine.call("feed", { session, count: 64 });
    for (let i = 0; i < pin.steps; i++)
      [status] = (await engine.call("step", { sessions: [session] })).sessions;
    const view = await engine.call("view", { session, step: -1, rows: 1000 });
    const text = status.text.map((/** @type {{id: number}} */ s) => s.id);
    texts.push([pin.link ?? pin.prompt, text, digest(view.logits, view.probs)]);
    await engine.call("close", { session });
  }
  engine.close();
  return { hash: info.hash, texts };

  /** As the page reads a link that it is opened with. @param {string} link @param {typeof info} model */
  async function ofLink(link, model) {
    const { settings } = checked(described, readFragment(link).state.settings);
    return toWire(described, settings, model, async () => []);
  }

  /** FNV-1a, 64 bits, in two halves. @param {ArrayBufferView[]} columns */
  function digest(...columns) {
    let [high, low] = [0xcbf29ce4, 0x84222325];
    for (const c of columns)
      for (const byte of new Uint8Array(c.buffer, c.byteOffset, c.byteLength)) {
        const mixed = (low ^ byte) >>> 0;
        const product = mixed * 0x1b3; // of the prime 2^40 + 0x1b3
        high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (mixed << 8)) >>> 0;
        low = product >>> 0;
      }
    return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}

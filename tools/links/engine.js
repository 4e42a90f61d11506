/** The built engine under Node, through the bridge: what a browser's worker does, without the worker. */

import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import "../../web/vendor/wasm_exec.js";
import { readFragment } from "../../web/readfragment.js";
import { checked, toWire } from "../../web/settings.js";

/**
 * @typedef {import("../../web/api.d.ts").Described} Described
 * @typedef {import("../../web/api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("../../web/api.d.ts").Settings} Settings
 * @typedef {(method: string, params: object, bytes?: Uint8Array) => any} Call
 * @typedef {Call & {held: () => number, functions: () => number}} Engine held is how many
 *   values of JavaScript Go holds, functions how many it has made so far
 *
 * @typedef {object} Pin
 * @property {string} [link]
 * @property {string} [toy]
 * @property {string} prompt
 * @property {Settings} settings
 * @property {number} steps
 * @property {number[]} ids
 * @property {string} digest of all logits and probabilities after the last step
 */

const root = new URL("../../", import.meta.url);
const toys = await readFile(new URL("web/lessons/toys.json", root), "utf8");

/** @param {string} file of bin/wasm @returns {Promise<Engine>} */
export async function start(file) {
  const go = /** @type {any} */ (new Go());
  let functions = 0;
  const make = go._makeFuncWrapper;
  go._makeFuncWrapper = (/** @type {number} */ id) => {
    functions++;
    return make.call(go, id);
  };
  const bytes = new Uint8Array(await readFile(new URL(`bin/wasm/${file}`, root)));
  const module = await WebAssembly.compile(bytes);
  go.run(await WebAssembly.instantiate(module, go.importObject));
  const { engineCall } = /** @type {any} */ (globalThis);
  /** @type {Call} */
  const call = (method, params, bytes) => {
    const { result, error } = engineCall(method, params, bytes);
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  };
  const counts = go._goRefCounts;
  const held = () => counts.filter((/** @type {number} */ n) => n > 0).length;
  return Object.assign(call, { held, functions: () => functions });
}

/** @param {Call} call @param {string} name of a default model @returns {Promise<ModelInfo>} */
export async function load(call, name) {
  const folder = new URL(`weights/default/${name}/`, root);
  const manifest = await readFile(new URL("manifest.json", folder), "utf8");
  const { model, parts } = call("modelBegin", { manifest });
  for (const [index, part] of parts.entries()) {
    const coded = await readFile(new URL(part.codedFile, folder));
    call(
      "modelPart",
      { model, index, at: 0, sha256: "" },
      new Uint8Array(brotliDecompressSync(coded)),
    );
  }
  return call("modelEnd", { model });
}

/** @param {Call} call @param {string} name @returns {ModelInfo} */
export const loadToy = (call, name) => call("modelToy", { toys, name });

/** @type {Described | undefined} what every engine knows */
let known;

/** What a link says, as the engine takes it: as the page does it.
 * @param {Call} call @param {ModelInfo} info @param {string} link */
export async function ofLink(call, info, link) {
  const { state, refused } = readFragment(link);
  known ??= /** @type {Described} */ (call("describe", {}));
  const { settings, problems } = checked(known, /** @type {any} */ (state.settings));
  if (refused.length || problems.length)
    throw new Error(`${link}: ${[...refused, ...problems].join(", ")}`);
  const tokenize = async (/** @type {string} */ text) => tokens(call, info, text);
  return {
    prompt: state.prompt ?? "",
    settings: await toWire(known, settings, info, tokenize),
  };
}

/** @param {Call} call @param {ModelInfo} info @param {string} text @returns {number[]} */
const tokens = (call, info, text) =>
  call("tokenize", { model: info.model, text, bos: false }).tokens.map(
    (/** @type {{id: number}} */ t) => t.id,
  );

/** Writes the text of a pin anew. @param {Call} call @param {ModelInfo} info @param {Pin} pin */
export function write(call, info, { toy, prompt, settings, steps }) {
  const ids = toy ? info.promptIds : tokens(call, info, prompt);
  let status = call("open", { model: info.model, ids, settings });
  const { session } = status;
  for (let fed = { done: 0, total: 1 }; fed.done < fed.total; )
    fed = call("feed", { session, count: 64 });
  for (let i = 0; i < steps; i++) [status] = call("step", { sessions: [session] }).sessions;
  const view = call("view", { session, step: -1, rows: 1000 });
  call("close", { session });
  return {
    ids: status.text.map((/** @type {{id: number}} */ t) => t.id),
    digest: digest(view.logits, view.probs),
  };
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

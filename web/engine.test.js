/**
 * The built engine under Node, through the bridge: what a browser's worker
 * does, without the worker. Wants `make wasm`.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import "./vendor/wasm_exec.js";

const root = new URL("../", import.meta.url);

/** @param {string} file */
async function start(file) {
  const go = new Go();
  const bytes = new Uint8Array(await readFile(new URL(`bin/wasm/${file}`, root)));
  const module = await WebAssembly.compile(bytes);
  go.run(await WebAssembly.instantiate(module, go.importObject));
  const { engineCall } = /** @type {any} */ (globalThis);
  return call;

  /** @param {string} method @param {object} params @param {Uint8Array} [bytes] @returns {any} */
  function call(method, params, bytes) {
    const { result, error } = engineCall(method, params, bytes);
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  }
}

/** @param {Awaited<ReturnType<typeof start>>} call @param {string} name */
async function load(call, name) {
  const folder = new URL(`weights/default/${name}/`, root);
  const manifest = await readFile(new URL("manifest.json", folder), "utf8");
  const { model, parts } = call("modelBegin", { manifest });
  for (const [index, part] of parts.entries()) {
    const coded = await readFile(new URL(part.codedFile, folder));
    call("modelPart", { model, index, at: 0 }, new Uint8Array(brotliDecompressSync(coded)));
  }
  return call("modelEnd", { model });
}

/** FNV-1a, 64 bits. @param {ArrayBufferView[]} columns */
function digest(...columns) {
  let hash = 0xcbf29ce484222325n;
  for (const c of columns) {
    for (const byte of new Uint8Array(c.buffer, c.byteOffset, c.byteLength)) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    }
  }
  return hash.toString(16).padStart(16, "0");
}

for (const file of ["engine.wasm", "engine-nosimd.wasm"]) {
  test(`${file} writes the pinned texts`, async () => {
    const pins = JSON.parse(await readFile(new URL("wasm/testdata/pinned.json", root), "utf8"));
    const call = await start(file);
    const info = await load(call, pins.model);
    assert.equal(info.hash, pins.hash, "another default model than was pinned");
    for (const pin of pins.cases) {
      const { tokens } = call("tokenize", { model: info.model, text: pin.prompt, bos: false });
      const ids = tokens.map((/** @type {{id: number}} */ t) => t.id);
      let status = call("open", { model: info.model, ids, settings: pin.settings });
      const { session } = status;
      for (let fed = { done: 0, total: 1 }; fed.done < fed.total; ) {
        fed = call("feed", { session, count: 64 });
      }
      for (let i = 0; i < pin.steps; i++) [status] = call("step", { sessions: [session] }).sessions;
      const view = call("view", { session, step: -1, rows: 1000 });
      assert.deepEqual(
        status.text.map((/** @type {{id: number}} */ t) => t.id),
        pin.ids,
        pin.prompt,
      );
      assert.equal(digest(view.logits, view.probs), pin.digest, pin.prompt);
      call("close", { session });
    }
  });
}

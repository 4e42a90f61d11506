/**
 * A worker that decodes brotli with a small Go program. It takes the chunks of
 * a stream and chunks to write to, and answers {decoded, coded} or {error,
 * coded}: the coded chunks go back to be used again. decompress.js starts it;
 * the contract with Go is in wasm/unbrotli/main.go.
 */

import "./vendor/wasm_exec.js";

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const unbrotli = boot();
unbrotli.catch(() => {}); // told to each caller

self.onmessage = async ({ data: { coded, into } }) => {
  try {
    const decoded = (await unbrotli)(coded, into);
    if (typeof decoded === "string") throw new Error(decoded);
    answer({ decoded, coded });
  } catch (error) {
    answer({ error: /** @type {Error} */ (error).message, coded });
  }
};

/** @param {{decoded?: Bytes[], coded: Bytes[], error?: string}} message */
function answer(message) {
  const chunks = [...message.coded, ...(message.decoded ?? [])];
  postMessage(message, [...new Set(chunks.map((chunk) => chunk.buffer))]);
}

/**
 * Starts Go and returns its one function.
 *
 * @returns {Promise<(coded: Bytes[], into: Bytes[]) => Bytes[] | string>}
 */
async function boot() {
  const url = new URL("unbrotli.wasm", import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: the host answered ${response.status}`);
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), go.importObject);
  go.run(instance);
  return /** @type {any} */ (globalThis).unbrotli;
}

/**
 * A worker that decodes brotli with a small Go program. It takes the coded
 * chunks and answers {decoded} or {error}; decompress.js starts it. The
 * contract with Go is in wasm/unbrotli/main.go.
 */

import "./vendor/wasm_exec.js";

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** Bytes given to Go at a time: its memory never shrinks, so it must stay small. */
const PIECE = 256 * 1024;

const decoder = boot();
decoder.catch(() => {}); // told to each caller

self.onmessage = async ({ data: chunks }) => {
  try {
    const decoded = decode(await decoder, chunks);
    postMessage(
      { decoded },
      decoded.map((chunk) => chunk.buffer),
    );
  } catch (error) {
    postMessage({ error: /** @type {Error} */ (error).message });
  }
};

/**
 * @param {{push: (coded: Bytes) => Bytes[] | string, finish: () => Bytes[] | string}} go
 * @param {Bytes[]} chunks
 */
function decode(go, chunks) {
  /** @type {Bytes[]} */
  const decoded = [];
  const take = (/** @type {Bytes[] | string} */ answer) => {
    if (typeof answer === "string") throw new Error(answer);
    decoded.push(...answer);
  };
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE) take(go.push(chunk.subarray(at, at + PIECE)));
  }
  take(go.finish());
  return decoded;
}

/** Starts Go and returns its push and finish. */
async function boot() {
  const url = new URL("unbrotli.wasm", import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: the host answered ${response.status}`);
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), go.importObject);
  go.run(instance);
  return /** @type {any} */ (globalThis).unbrotli;
}

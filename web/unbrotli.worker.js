/**
 * A worker that decodes brotli with a small Go program. It takes {id, bytes}
 * and answers {id, bytes} or {id, error}; decompress.js starts it. The contract
 * with Go is in wasm/unbrotli/main.go.
 */

import "./vendor/wasm_exec.js";

/** Bytes given to Go at a time: its memory never shrinks, so it must stay small. */
const PIECE = 256 * 1024;

const decoder = boot();
decoder.catch(() => {}); // told to each caller

self.onmessage = async ({ data: { id, bytes } }) => {
  try {
    const decoded = decode(await decoder, bytes);
    postMessage({ id, bytes: decoded }, [decoded.buffer]);
  } catch (error) {
    postMessage({ id, error: /** @type {Error} */ (error).message });
  }
};

/**
 * @param {{push: (coded: Uint8Array) => Uint8Array[] | string, finish: () => Uint8Array[] | string}} go
 * @param {Uint8Array} coded
 */
function decode(go, coded) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  const take = (/** @type {Uint8Array[] | string} */ answer) => {
    if (typeof answer === "string") throw new Error(answer);
    chunks.push(...answer);
  };
  for (let at = 0; at < coded.length; at += PIECE) take(go.push(coded.subarray(at, at + PIECE)));
  take(go.finish());
  return join(chunks);
}

/** @param {Uint8Array[]} chunks */
function join(chunks) {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
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

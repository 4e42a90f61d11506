/** The built engine in Node, for tests of what the page says to it. Wants `make wasm`. */

import { readFile } from "node:fs/promises";
import "../../web/vendor/wasm_exec.js";

const file = new URL("../../bin/wasm/engine.wasm", import.meta.url);

/** Starts it; the answer asks it and throws what it refuses.
 * @returns {Promise<(method: string, params: object, bytes?: Uint8Array) => any>} */
export async function startEngine() {
  const go = new Go();
  const bytes = /** @type {BufferSource} */ (await readFile(file));
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  go.run(instance);
  const { engineCall } = /** @type {any} */ (globalThis);
  return (method, params, bytes) => {
    const { result, error } = engineCall(method, params, bytes);
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  };
}

/**
 * A worker that packs a checkpoint with a Go program. It takes the checkpoint,
 * answers {part, bytes, share} for each part and goes on when it is told
 * {next}; the last answer is {manifest} or {error}. ownmodel.js starts it; the
 * contract with Go is in wasm/pack/main.go.
 */

import "./vendor/wasm_exec.js";
import { listenForEnd } from "./lastwords.js";

/** @type {(() => void) | undefined} */
let goOn;

self.onmessage = async ({ data }) => {
  if (data.next) return goOn?.();
  try {
    postMessage({ manifest: await pack(data) });
  } catch (error) {
    postMessage({ error: /** @type {Error} */ (error).message });
  }
};

/** @param {{files: File[]}} checkpoint @returns {Promise<string>} */
async function pack({ files, ...checkpoint }) {
  const reader = new FileReaderSync();
  const read = (/** @type {number} */ file, /** @type {number} */ at, /** @type {number} */ size) =>
    new Uint8Array(reader.readAsArrayBuffer(files[file].slice(at, at + size)));
  let done = 0;
  const emit = (
    /** @type {{bytes: number}} */ part,
    /** @type {Uint8Array<ArrayBuffer>} */ bytes,
    /** @type {number} */ total,
  ) => {
    done += part.bytes;
    postMessage({ part, bytes, share: Math.min(done / total, 1) }, [bytes.buffer]);
    return new Promise((resolve) => {
      goOn = () => resolve(undefined);
    });
  };
  const names = files.map((file) => file.name);
  const sizes = files.map((file) => file.size);
  return (await boot())({ ...checkpoint, names, sizes }, read, emit);
}

/** Starts Go and returns its one function, which fails when Go ends.
 * @returns {Promise<(...args: unknown[]) => Promise<string>>} */
async function boot() {
  const url = new URL("pack.wasm", import.meta.url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: the host answered ${response.status}`);
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(await response.arrayBuffer(), go.importObject);
  const end = listenForEnd("the program that packs");
  const ended = go.run(instance).then(() => Promise.reject(end()));
  const { pack } = /** @type {any} */ (globalThis);
  // A program that has ended, as for want of memory, answers nothing, or nonsense.
  return async (/** @type {unknown[]} */ ...args) => {
    try {
      return await Promise.race([pack(...args), ended]);
    } catch (error) {
      throw /** @type {any} */ (go).exited ? end() : error;
    }
  };
}

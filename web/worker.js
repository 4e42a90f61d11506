/**
 * The worker's side of the engine: starts Go, then answers the page's calls in
 * order. A model begins to load before Go is there. engine.js has the protocol.
 */

import "./vendor/wasm_exec.js";
import { unbrotli } from "./decompress.js";
import { webSource } from "./fetch.js";
import { createLoader } from "./loader.js";
import { isOwn, ownSource } from "./ownmodel.js";

/** @type {Map<number, AbortController>} loads that are under way, by call */
const loads = new Map();
const engine = boot();
const loader = createLoader(
  engine.then(({ call }) => ({ call: (m, p, b) => call(m, p, b).result })),
);
engine.then(
  async () => postMessage({ event: "ready", lock: await holdLock() }),
  (error) => crash(error),
);

self.onmessage = async ({ data }) => {
  if (data.cancel !== undefined) return loads.get(data.cancel)?.abort();
  const { id, method, params, bytes } = data;
  try {
    if (method === "load") {
      const { url } = params;
      const source = isOwn(url) ? ownSource(url) : webSource(url);
      postMessage({ id, result: await load(id, (options) => loader.load(source, options)) });
    } else if (method === "import") {
      const { files, bits } = params;
      const start = (/** @type {Loading} */ options) =>
        loader.loadFiles(files, { bits, ...options });
      postMessage({ id, result: await load(id, start) });
    } else if (method === "stored") {
      postMessage({ id, result: await loader.stored() });
    } else if (method === "forget") {
      await loader.forget(params.hash);
      postMessage({ id, result: {} });
    } else {
      const { call } = await engine;
      const { result, buffer } = call(method, params, bytes);
      postMessage({ id, result }, buffer ? [buffer] : []);
    }
  } catch (cause) {
    const error = /** @type {any} */ (cause);
    postMessage({ id, error: { code: error.code ?? "internal", message: error.message } });
  }
};

/**
 * @typedef {Parameters<ReturnType<typeof createLoader>["load"]>[1]} Loading
 *
 * @param {number} id of the call
 * @param {(options: Loading) => Promise<object>} start
 */
async function load(id, start) {
  const controller = new AbortController();
  loads.set(id, controller);
  try {
    const onProgress = (/** @type {object} */ p) => postMessage({ event: "progress", id, ...p });
    return await start({ onProgress, signal: controller.signal });
  } finally {
    loads.delete(id);
  }
}

/** Starts Go and returns how to call it. */
async function boot() {
  if (typeof WebAssembly !== "object")
    throw Object.assign(new Error("this browser runs no WebAssembly"), { code: "unsupported" });
  const go = new Go();
  const file = hasSIMD() ? "engine.wasm" : "engine-nosimd.wasm";
  const instance = await instantiate(new URL(file, import.meta.url), go.importObject);
  const words = lastWords();
  const ended = () =>
    crash(
      new Error(
        /out of memory/.test(words())
          ? "there is not enough memory"
          : "the engine ended; its last words are in the console",
      ),
    );
  go.run(instance).then(ended, crash);
  const { engineCall } = /** @type {any} */ (globalThis);

  /** @param {string} method @param {object} params @param {Uint8Array} [bytes] */
  const call = (method, params, bytes) => {
    let answer;
    try {
      answer = engineCall(method, params, bytes);
    } catch (error) {
      crash(error); // a trap: Go's memory can't be trusted any more
      throw error;
    }
    if (!answer) throw Object.assign(new Error("the engine ended"), { code: "crash" });
    if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error);
    return answer;
  };
  return { call };
}

/** Listens to what Go writes before it ends. */
function lastWords() {
  let said = "";
  const { fs } = /** @type {any} */ (globalThis);
  const write = fs.writeSync;
  fs.writeSync = (/** @type {number} */ to, /** @type {Uint8Array} */ bytes) => {
    said = (said + new TextDecoder().decode(bytes)).slice(0, 1000);
    return write(to, bytes);
  };
  return () => said;
}

/**
 * Compiles while it downloads where the host gives the right type; else from
 * the bytes, which may be a .br file that came without its header.
 *
 * @param {URL} url
 * @param {WebAssembly.Imports} imports
 */
async function instantiate(url, imports) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: the host answered ${response.status}`);
  try {
    return (await WebAssembly.instantiateStreaming(response.clone(), imports)).instance;
  } catch {
    // told below, if it is more than the type
  }
  /** @type {Uint8Array<ArrayBuffer>} */
  let bytes = new Uint8Array(await response.arrayBuffer());
  const isWasm = () => bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73;
  if (!isWasm()) {
    const decoded = await unbrotli([bytes.slice()]).catch(() => [bytes]);
    bytes = new Uint8Array(await new Blob(decoded).arrayBuffer());
  }
  if (!isWasm()) throw new Error(`${url.pathname}: the host answered with no WebAssembly file`);
  return (await WebAssembly.instantiate(bytes, imports)).instance;
}

/** A module of one function with a vector in it: valid only where SIMD is known. */
function hasSIMD() {
  // biome-ignore format: bytes of a module, section by section
  return WebAssembly.validate(new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, // magic, version
    1, 5, 1, 96, 0, 1, 123, // type: () -> v128
    3, 2, 1, 0, // function
    10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11, // i32.const 0, i8x16.splat, i8x16.popcnt
  ]));
}

/** Takes a lock for as long as this worker is there; not all contexts have them.
 * @returns {Promise<string | undefined>} its name */
function holdLock() {
  const name = `engine ${Math.random()}`;
  return new Promise((resolve) => {
    const held = () => {
      resolve(name);
      return new Promise(() => {});
    };
    if (!navigator.locks) resolve(undefined);
    else navigator.locks.request(name, held).catch(() => resolve(undefined));
  });
}

/** @param {any} error */
function crash(error) {
  postMessage({
    event: "crash",
    error: { code: error?.code ?? "crash", message: String(error?.message ?? error) },
  });
}

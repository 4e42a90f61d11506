/**
 * The worker's side of the engine: starts Go, then answers the page's calls in
 * order. A model begins to load before Go is there. engine.js has the protocol.
 */

import "./vendor/wasm_exec.js";
import { webSource } from "./fetch.js";
import { listenForEnd } from "./lastwords.js";
import { createLoader } from "./loader.js";
import { isOwn, ownSource } from "./ownmodel.js";

/** @type {Map<number, AbortController>} loads that are under way, by call */
const loads = new Map();
let takeProgram = (/** @type {WebAssembly.Module} */ _) => {};
/** @type {Promise<WebAssembly.Module>} from the page */
const program = new Promise((resolve) => (takeProgram = resolve));
const engine = boot();
const loader = createLoader(
  engine.then(({ call }) => ({ call: (m, p, b) => call(m, p, b).result })),
);
engine.then(
  async () => postMessage({ event: "ready", lock: await holdLock() }),
  (error) => crash(error),
);

self.onmessage = async ({ data }) => {
  if (data.program) return takeProgram(data.program);
  if (data.cancel !== undefined) return loads.get(data.cancel)?.abort();
  const { id, method, params, bytes, into } = data;
  try {
    if (method === "load") {
      const { url } = params;
      const source = isOwn(url) ? ownSource(url) : webSource(url);
      postMessage({ id, result: await load(id, (options) => loader.load(source, options)) });
    } else if (method === "import") {
      const { files, ...how } = params;
      const start = (/** @type {Loading} */ options) =>
        loader.loadFiles(files, { ...how, ...options });
      postMessage({ id, result: await load(id, start) });
    } else if (method === "stored") {
      postMessage({ id, result: await loader.stored() });
    } else if (method === "forget") {
      await loader.forget(params.hash);
      postMessage({ id, result: {} });
    } else {
      const { call } = await engine;
      const { result, buffer } = call(method, params, bytes, into);
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
  const go = new Go();
  const instance = await WebAssembly.instantiate(await program, go.importObject);
  const end = listenForEnd("the engine");
  go.run(instance).then(() => crash(end()), crash);
  const { engineCall } = /** @type {any} */ (globalThis);

  /**
   * @param {string} method
   * @param {object} params
   * @param {Uint8Array} [bytes]
   * @param {ArrayBuffer} [into] for the answer's columns
   */
  const call = (method, params, bytes, into) => {
    let answer;
    try {
      answer = engineCall(method, params, bytes, into);
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

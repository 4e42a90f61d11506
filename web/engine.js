/**
 * The page's side of the engine: a Web Worker that runs Go.
 *
 * Page to worker:  {program}                     the compiled engine, once
 *                  {id, method, params}, and {bytes} where a method takes some;
 *                  {into} is a buffer that the page has done with, for the answer
 * Worker to page:  {id, result} or {id, error: {code, message}}
 *                  {event: "ready", lock}         the name of a lock that it holds until it ends
 *                  {event: "progress", id, ...}   while a model loads
 *                  {event: "crash", error}        the worker is of no more use
 *
 * The worker answers in order, one call at a time, and a call is short: at
 * most one token for each live hypothesis. So there is no way to cancel one;
 * who runs a text simply stops asking. Only loading takes long: it goes on
 * beside other calls and {cancel: id} ends it.
 *
 * Methods, their parameters and results are `Methods` in api.d.ts, made from
 * the Go structs. All fields of the parameters are needed, none has a default.
 * Bulk numbers come as typed arrays, which belong to the page. The worker
 * itself answers four more: `load`, `import`, `stored` and `forget`.
 *
 * Codes of errors: bad_request (a value was refused; the message names it),
 * unknown (a session or model that is gone), context_full, bad_model (the
 * files are not what they should be), network, cancelled, unsupported (the
 * browser lacks something), internal (a fault of ours; the engine goes on),
 * crash (the worker ended: restart(), load and open again).
 */

import { compileEngine } from "./program.js";
import { workerURL } from "./trusted.js";

/**
 * @typedef {import("./api.d.ts").Methods} Methods
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 *
 * @typedef {object} Progress
 * @property {number} loaded bytes in place, of the decoded model
 * @property {number} total
 * @property {number} wire bytes that came, after what the browser decodes itself
 * @property {number} rate of them a second, over the last seconds; -1: not known yet
 * @property {number} left seconds that are left at that pace; -1: not known
 * @property {number} part parts in place
 * @property {number} parts
 * @property {string} note what a person should know ("runs from memory: …"), or empty
 *
 * @typedef {object} Stored a model in the browser's cache
 * @property {string} hash
 * @property {string} url of its manifest
 * @property {number} bytes of its parts that are here
 * @property {boolean} complete whether they all are
 * @property {string} name
 * @property {number} n_positions
 * @property {number} bits
 * @property {string} licence
 * @property {string} source
 *
 * @typedef {object} OwnMethods
 * @property {{params: {url: string}, result: ModelInfo}} load
 * @property {{params: {files: File[], bits: number}, result: ModelInfo}} import
 * @property {{params: {}, result: {models: Stored[], usage: number, quota: number, note: string}}} stored
 * @property {{params: {hash: string}, result: {}}} forget
 *
 * @typedef {Methods & OwnMethods} AllMethods
 *
 * @typedef {object} Events
 * @property {{}} ready
 * @property {EngineError} crash
 */

/** An error with a code; see above. */
export class EngineError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = "EngineError";
    this.code = code;
  }
}

/** A browser that knows module workers asks for the type; an older one would run the
 * script as another kind, and fail at its first line. */
function moduleWorker() {
  let asked = false;
  const worker = new Worker(workerURL("worker.js"), {
    name: "engine",
    get type() {
      asked = true;
      return /** @type {const} */ ("module");
    },
  });
  if (asked) return worker;
  worker.terminate();
  throw new EngineError("unsupported", "this browser has no module workers");
}

/**
 * Starts the worker. Calls may be made at once; they wait until it is ready.
 *
 * @param {{create?: () => Worker, compile?: () => Promise<WebAssembly.Module>}} [options]
 *   other ways to make the worker and its program
 */
export function createEngine({ create = moduleWorker, compile = compileEngine } = {}) {
  /** @typedef {{resolve: (result: any) => void, reject: (error: Error) => void, onProgress?: (p: Progress) => void}} Call */
  /** @type {Map<number, Call>} */
  const pending = new Map();
  /** @type {{ready: Set<Function>, crash: Set<Function>}} */
  const listeners = { ready: new Set(), crash: new Set() };
  let nextID = 1;
  /** @type {Worker | null} */
  let worker = null;
  /** @type {EngineError | null} */
  let dead = null;
  /** @type {Promise<WebAssembly.Module> | null} */
  let program = null;

  start();

  function start() {
    dead = null;
    /** @type {Worker} */
    let w;
    try {
      w = create();
    } catch (error) {
      const { message, code = "unsupported" } = /** @type {any} */ (error);
      return crash(message, code);
    }
    worker = w;
    w.onmessage = (e) => w === worker && receive(e.data);
    w.onmessageerror = () => w === worker && crash("a message could not be read");
    program ??= compile();
    program.then(
      (module) => w.postMessage({ program: module }),
      ({ message, code }) => {
        program = null; // the next start tries again
        if (w === worker) crash(message, code);
      },
    );
    w.onerror = (e) => {
      e.preventDefault?.();
      if (w === worker) crash(e.message || "the worker could not be started");
    };
  }

  /** @param {any} message */
  function receive(message) {
    if (message.event === "crash") return crash(message.error.message, message.error.code);
    if (message.event === "ready") {
      watch(message.lock);
      return emit("ready", {});
    }
    const call = pending.get(message.id);
    if (!call) return;
    if (message.event === "progress") return call.onProgress?.(message);
    pending.delete(message.id);
    if (message.error) call.reject(new EngineError(message.error.code, message.error.message));
    else call.resolve(message.result);
  }

  /** A worker that ends by itself says nothing; but its lock is free then. @param {string} [lock] */
  function watch(lock) {
    const w = worker;
    const free = () => w === worker && crash("the worker ended");
    if (lock) navigator.locks.request(lock, free);
  }

  /** @param {string} message @param {string} [code] */
  function crash(message, code = "crash") {
    dead = new EngineError(code, message);
    stop(dead);
    emit("crash", dead);
  }

  /** @param {EngineError} reason */
  function stop(reason) {
    worker?.terminate();
    worker = null;
    const calls = [...pending.values()];
    pending.clear();
    for (const call of calls) call.reject(reason);
  }

  /** @param {"ready" | "crash"} event @param {unknown} value */
  function emit(event, value) {
    for (const listener of [...listeners[event]]) listener(value);
  }

  /**
   * @param {string} method
   * @param {object} params
   * @param {{onProgress?: (p: Progress) => void, signal?: AbortSignal, bytes?: Uint8Array, into?: ArrayBuffer}} [options]
   * @returns {Promise<any>}
   */
  function send(method, params, { onProgress, signal, bytes, into } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new EngineError("cancelled", `${method}: cancelled`));
      if (!worker) return reject(dead ?? new EngineError("crash", "the engine is closed"));
      const id = nextID++;
      const cancel = () => worker?.postMessage({ cancel: id });
      signal?.addEventListener("abort", cancel, { once: true });
      pending.set(id, { resolve, reject, onProgress });
      worker.postMessage({ id, method, params, bytes, into }, into ? [into] : []);
    });
  }

  /**
   * A load that is cancelled too late brings a model that nobody waits for.
   *
   * @param {string} method
   * @param {object} params
   * @param {{onProgress?: (p: Progress) => void, signal?: AbortSignal}} [options]
   * @returns {Promise<ModelInfo>}
   */
  async function load(method, params, options) {
    const info = await send(method, params, options);
    if (!options?.signal?.aborted) return info;
    send("modelClose", { model: info.model }).catch(() => {});
    throw new EngineError("cancelled", `${method}: cancelled`);
  }

  return {
    /**
     * Calls a method of the engine.
     *
     * @template {keyof AllMethods} M
     * @param {M} method
     * @param {AllMethods[M]["params"]} params
     * @param {Uint8Array} [bytes] of a method that takes some beside
     * @param {ArrayBuffer} [into] of an answer before, which then is no more: bulk numbers
     *   of the same size come in it, where else each buffer would be garbage for long
     * @returns {Promise<AllMethods[M]["result"]>}
     */
    call: (method, params, bytes, into) => send(method, params, { bytes, into }),

    /** Whether no call waits for its answer. */
    idle: () => pending.size === 0,

    /**
     * Loads the model whose manifest.json lies in the folder url.
     *
     * @param {string | URL} url relative to the page
     * @param {{onProgress?: (p: Progress) => void, signal?: AbortSignal}} [options]
     * @returns {Promise<ModelInfo>}
     */
    loadModel: (url, options) => load("load", { url: new URL(url, location.href).href }, options),

    /**
     * Loads a model from files of this device: a packed folder's, or config.json
     * and safetensors, which are packed at so many bits, 4 to 8. Then it is
     * listed with the stored ones; loadModel takes its url.
     *
     * @param {File[]} files
     * @param {{bits: number, folder: string}} how folder: its name, empty where there is none
     * @param {{onProgress?: (p: Progress) => void, signal?: AbortSignal}} [options]
     * @returns {Promise<ModelInfo>}
     */
    importModel: (files, how, options) => load("import", { files, ...how }, options),

    /**
     * Listens to "ready" or "crash"; the answer ends it.
     *
     * @template {keyof Events} E
     * @param {E} event
     * @param {(value: Events[E]) => void} listener
     */
    on(event, listener) {
      listeners[event].add(listener);
      return () => void listeners[event].delete(listener);
    },

    /** Starts anew: models and sessions are gone, pending calls are rejected. */
    restart() {
      stop(new EngineError("crash", "the engine was started anew"));
      start();
    },

    /** Ends the worker. */
    close() {
      stop(new EngineError("crash", "the engine is closed"));
      dead = null;
    },
  };
}

/**
 * Loads a model folder into the engine: manifest.json, then its parts, two at
 * a time, from the browser's store or else from the host. Go checks the hash
 * of each part as it takes it; only what it took is stored. Runs in the worker.
 */

import { fetchPart, fetchText, LoadError } from "./fetch.js";
import { createStore } from "./store.js";

/**
 * @typedef {import("./api.d.ts").ModelBegun} ModelBegun
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./api.d.ts").Part} Part
 * @typedef {import("./decompress.js").Bytes} Bytes
 * @typedef {import("./engine.js").Progress} Progress
 */

const lanes = 2; // parts under way at once
const progressEvery = 50; // ms

/**
 * call is a call of the engine that returns its result or throws an error with
 * a code.
 *
 * @param {{call: (method: string, params: object, bytes?: Bytes) => any}} engine
 */
export function createLoader({ call }) {
  const store = createStore();
  /** @type {{manifest: string, begun: ModelBegun, done: Set<number>} | null} */
  let unfinished = null; // what a load that failed had come to: the next try goes on there

  /**
   * @param {string} url of the folder
   * @param {{onProgress: (p: Progress) => void, signal: AbortSignal}} options
   * @returns {Promise<ModelInfo>}
   */
  async function load(url, { onProgress, signal }) {
    const folder = new URL(url.endsWith("/") ? url : `${url}/`);
    const manifestURL = new URL("manifest.json", folder).href;
    const manifest = await manifestOf(manifestURL, signal);
    const state = resume(manifest);
    const { begun, done } = state;
    const progress = createProgress(begun.parts, done, () => store.note(), onProgress);
    const failed = new AbortController(); // ends the other lane
    const stop = AbortSignal.any([signal, failed.signal]);
    let next = 0;

    async function lane() {
      while (next < begun.parts.length) {
        const index = next++;
        if (done.has(index)) continue;
        await loadPart(folder, begun, index, progress.of(index), stop);
        done.add(index);
      }
    }

    try {
      await Promise.all(Array.from({ length: lanes }, lane));
    } catch (error) {
      failed.abort();
      if (signal.aborted) {
        call("modelClose", { model: begun.model });
        throw new LoadError("cancelled", `${folder.pathname}: cancelled`);
      }
      unfinished = state;
      throw error;
    }
    const info = finish(begun);
    await store.putManifest(manifestURL, manifest, { ...begun, hash: info.hash });
    progress.finish();
    return info;
  }

  /** @param {ModelBegun} begun @returns {ModelInfo} */
  function finish({ model }) {
    try {
      return call("modelEnd", { model });
    } catch (error) {
      call("modelClose", { model });
      throw error;
    }
  }

  /** @param {string} manifest */
  function resume(manifest) {
    const old = unfinished;
    unfinished = null;
    if (old?.manifest === manifest) return old;
    if (old) call("modelClose", { model: old.begun.model });
    /** @type {ModelBegun} */
    const begun = call("modelBegin", { manifest });
    return { manifest, begun, done: /** @type {Set<number>} */ (new Set()) };
  }

  /** The host's manifest, or the stored one when the host can't be reached. */
  async function manifestOf(/** @type {string} */ url, /** @type {AbortSignal} */ signal) {
    try {
      return await fetchText(url, signal);
    } catch (error) {
      const stored = signal.aborted ? null : await store.manifest(url);
      if (stored === null) throw error;
      return stored;
    }
  }

  /**
   * @param {URL} folder
   * @param {ModelBegun} begun
   * @param {number} index
   * @param {{wire: (n: number) => void, share: (x: number) => void, done: () => void}} progress
   * @param {AbortSignal} signal
   */
  async function loadPart(folder, begun, index, progress, signal) {
    const part = begun.parts[index];
    const give = (/** @type {Bytes} */ bytes) =>
      call("modelPart", { model: begun.model, index }, bytes);

    const stored = await store.get(part);
    if (stored && taken(give, stored)) return progress.done();
    if (stored) await store.remove(part);

    await fetchPart(folder, part, {
      signal,
      onWire: progress.wire,
      onShare: progress.share,
      take: async (bytes) => {
        give(bytes);
        await store.put(part, bytes);
      },
    });
    progress.done();
  }

  return { load, stored: store.list, forget: store.forget };
}

/** @param {(b: Bytes) => void} give @param {Bytes} bytes */
function taken(give, bytes) {
  try {
    give(bytes);
    return true;
  } catch (error) {
    if (/** @type {any} */ (error).code !== "bad_model") throw error;
    return false;
  }
}

/**
 * Adds up what the lanes have done, in decoded bytes of the manifest.
 *
 * @param {Part[]} parts
 * @param {Set<number>} done parts that are there already
 * @param {() => string} note
 * @param {(p: Progress) => void} onProgress
 */
function createProgress(parts, done, note, onProgress) {
  /** @type {number[]} */
  const shares = parts.map((_, i) => (done.has(i) ? 1 : 0));
  const total = parts.reduce((sum, p) => sum + p.bytes, 0);
  let wire = 0;
  let last = -progressEvery;

  function tell(now = false) {
    if (!now && performance.now() - last < progressEvery) return;
    last = performance.now();
    const loaded = Math.floor(parts.reduce((sum, p, i) => sum + p.bytes * shares[i], 0));
    const part = shares.filter((s) => s === 1).length;
    onProgress({ loaded, total, wire, part, parts: parts.length, note: note() });
  }

  return {
    of: (/** @type {number} */ index) => ({
      wire(/** @type {number} */ n) {
        wire += n;
        tell();
      },
      share(/** @type {number} */ x) {
        shares[index] = Math.min(x, 0.99);
        tell();
      },
      done() {
        shares[index] = 1;
        tell();
      },
    }),
    finish: () => tell(true),
  };
}

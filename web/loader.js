/**
 * Loads a model into the engine: its manifest, then its parts, some at a time,
 * from the browser's store or else from where the model lies. Go checks the
 * hash of each part as it takes it; only what it took is stored. While the
 * engine still starts, the first parts come already. Runs in the worker.
 */

import { dropBuffers, letGo } from "./body.js";
import { releaseWorkers } from "./decompress.js";
import { dropSpare, sha256 } from "./digest.js";
import { collectGarbage } from "./garbage.js";
import { LoadError } from "./loaderror.js";
import { partsOf } from "./manifest.js";
import { fileSource, isPacked, ownSource, ownURL, packFiles } from "./ownmodel.js";
import { createProgress } from "./progress.js";
import { either } from "./signals.js";
import { createStore } from "./store.js";

/**
 * @typedef {import("./api.d.ts").ModelBegun} ModelBegun
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./api.d.ts").Part} Part
 * @typedef {import("./decompress.js").Bytes} Bytes
 * @typedef {import("./engine.js").Progress} Progress
 * @typedef {import("./fetch.js").Source} Source
 * @typedef {import("./progress.js").PartProgress} PartProgress
 *
 * @typedef {object} Engine
 * @property {(method: string, params: object, bytes?: Bytes) => any} call returns a
 *   result or throws an error with a code
 *
 * @typedef {object} State how far a load has come
 * @property {string} manifest
 * @property {Promise<ModelBegun>} begun
 * @property {Set<number>} done
 *
 * @typedef {object} Loading
 * @property {Source} source
 * @property {Part[]} parts
 * @property {Set<number>} done
 * @property {Promise<{model: number, record: import("./store.js").Record}>} recorded that
 *   the engine took the manifest, and that the store says whose the parts are
 * @property {ReturnType<typeof createProgress>} progress
 * @property {AbortSignal} signal
 */

const lanes = 2; // parts under way at once

/** @param {Promise<Engine>} engine that may still be starting */
export function createLoader(engine) {
  const store = createStore();
  let started = false;
  engine.then(
    () => (started = true),
    () => {}, // told by whoever started it
  );
  /** @type {State | null} */
  let unfinished = null; // of a load that failed: the next try goes on there

  /** @param {string} method @param {object} params @param {Bytes} [bytes] */
  const call = async (method, params, bytes) => (await engine).call(method, params, bytes);

  /**
   * @param {Source} source
   * @param {{onProgress: (p: Progress) => void, signal: AbortSignal}} options
   * @returns {Promise<ModelInfo>}
   */
  async function load(source, { onProgress, signal }) {
    const manifest = await manifestOf(source, signal);
    const state = resume(manifest);
    const parts = (!started && partsOf(manifest)) || (await state.begun).parts;
    const recorded = state.begun.then(async ({ model, hash }) => {
      const record = { url: source.url || ownURL(hash), manifest, hash, parts };
      await store.begin(record);
      return { model, record };
    });
    const progress = createProgress(parts, state.done, store.note, onProgress);
    try {
      await loadParts({ source, parts, done: state.done, recorded, progress, signal });
    } catch (error) {
      // What is not there of files of this device can't be fetched later.
      if (!source.url)
        await recorded.then(({ record }) => store.forget(record.hash)).catch(() => {});
      if (signal.aborted) {
        close(state);
        throw new LoadError("cancelled", `${source.url}: cancelled`);
      }
      unfinished = state;
      throw error;
    } finally {
      progress.stop();
      releaseWorkers();
      dropBuffers();
      dropSpare();
      collectGarbage();
    }
    const { model, record } = await recorded;
    const info = await finish(model);
    await store.settle(record);
    progress.finish();
    return info;
  }

  /**
   * Loads a model from files of this device, and keeps it with the others.
   *
   * @param {File[]} files a packed folder's, or a checkpoint's
   * @param {{bits: number, folder: string, onProgress: (p: Progress) => void, signal: AbortSignal}} options
   * @returns {Promise<ModelInfo>}
   */
  async function loadFiles(files, { bits, folder, onProgress, signal }) {
    if (isPacked(files)) return load(fileSource(files), { onProgress, signal });
    return store.drafting(async (draft) => {
      const source = await pack(files, draft, { bits, folder, onProgress, signal });
      return load(source, { onProgress, signal }); // with a record of its own
    });
  }

  /**
   * Packs a checkpoint into the store. Until the model's hash is known, a draft
   * stands for it there.
   *
   * @param {File[]} files
   * @param {string} draft
   * @param {{bits: number, folder: string, onProgress: (p: Progress) => void, signal: AbortSignal}} options
   */
  async function pack(files, draft, { bits, folder, onProgress, signal }) {
    /** @type {Map<string, Bytes>} */
    const held = new Map();
    /** @type {Part[]} */
    const parts = [];
    const record = { url: ownURL(draft), manifest: "", hash: draft, parts };
    const total = files.reduce((sum, file) => sum + file.size, 0);
    const manifest = await packFiles(files, {
      bits,
      folder,
      signal,
      async take(part, bytes) {
        parts.push(part);
        await store.begin(record);
        if (!(await store.put(part, [bytes]))) held.set(part.sha256, bytes);
      },
      onShare(share) {
        const loaded = Math.floor(share * total);
        const pace = { rate: -1, left: -1, wire: 0 };
        onProgress({ loaded, total, part: parts.length, parts: 0, note: store.note(), ...pace });
      },
    });
    return ownSource("", manifest, held);
  }

  /** @param {Loading} loading */
  async function loadParts(loading) {
    const { parts, done, recorded, signal } = loading;
    const failed = new AbortController(); // ends the other lanes
    const stop = either(signal, failed.signal);
    let next = 0;
    async function lane() {
      while (next < parts.length) {
        const index = next++;
        if (done.has(index)) continue;
        await loadPart(loading, index, stop);
        done.add(index);
      }
    }
    const all = [recorded, ...Array.from({ length: lanes }, lane)];
    try {
      await Promise.all(all);
    } catch (error) {
      failed.abort();
      await Promise.allSettled(all); // none may write to a model that is gone
      throw error;
    }
  }

  /**
   * @param {Loading} loading
   * @param {number} index
   * @param {AbortSignal} signal
   */
  async function loadPart({ source, parts, recorded, progress }, index, signal) {
    const part = parts[index];
    const of = progress.of(index);
    const place = async (/** @type {Bytes[]} */ chunks) => {
      const hash = await sha256(chunks);
      const { model } = await recorded;
      signal.throwIfAborted(); // cancelled while the engine started
      let at = 0;
      for (const bytes of chunks) {
        await call("modelPart", { model, index, at, sha256: hash }, bytes);
        at += bytes.length;
      }
    };
    await store.alone(part, signal, async () => {
      if (await fromStore(part, place, of, recorded)) return;
      await source.part(part, {
        signal,
        progress: of,
        stored: !store.note(),
        async take(chunks) {
          await place(chunks);
          await store.put(part, chunks);
        },
      });
    });
    of.done();
    collectGarbage(); // a body's stream leaves a copy of each piece that was read
  }

  /**
   * Whether the part was in the store, and right. A wrong one goes.
   *
   * @param {Part} part
   * @param {(chunks: Bytes[]) => Promise<void>} place
   * @param {PartProgress} progress
   * @param {Promise<unknown>} recorded
   */
  async function fromStore(part, place, progress, recorded) {
    const response = await store.get(part);
    if (!response) return false;
    // Not piece by piece: a stored body's stream in Chromium may never give its first one.
    const body = await response.arrayBuffer().catch(() => null); // it can't be read any more
    if (body?.byteLength === part.bytes) {
      progress.share(1);
      await recorded;
      try {
        await place([new Uint8Array(body)]);
        return true;
      } catch (error) {
        if (/** @type {any} */ (error).code !== "bad_model") throw error;
      } finally {
        letGo(body);
      }
    }
    await store.remove(part);
    return false;
  }

  /** @param {number} model @returns {Promise<ModelInfo>} */
  async function finish(model) {
    try {
      return await call("modelEnd", { model });
    } catch (error) {
      await call("modelClose", { model });
      throw error;
    }
  }

  /** @param {string} manifest @returns {State} */
  function resume(manifest) {
    const old = unfinished;
    unfinished = null;
    if (old?.manifest === manifest) return old;
    if (old) close(old);
    return { manifest, begun: call("modelBegin", { manifest }), done: new Set() };
  }

  /** Lets go what a load has put into the engine. @param {State} state */
  function close({ begun }) {
    begun.then(({ model }) => call("modelClose", { model })).catch(() => {}); // it never began
  }

  /** The source's manifest, or the stored one when it can't be reached.
   * @param {Source} source @param {AbortSignal} signal */
  async function manifestOf(source, signal) {
    const stored = store.manifest(source.url); // meanwhile
    try {
      return await source.manifest(signal, false);
    } catch (error) {
      if (signal.aborted) throw error;
      return (await stored) ?? source.manifest(signal, true);
    }
  }

  return { load, loadFiles, stored: store.list, forget: store.forget };
}

/**
 * Loads a model into the engine: its manifest, then its parts, some at a time,
 * from the browser's store or else from where the model lies. Go checks the
 * hash of each part as it takes it; only what it took is stored. Runs in the
 * worker.
 */

import { dropBuffers } from "./body.js";
import { releaseWorkers } from "./decompress.js";
import { sha256 } from "./digest.js";
import { LoadError } from "./loaderror.js";
import { fileSource, isPacked, ownSource, ownURL, packFiles } from "./ownmodel.js";
import { createProgress } from "./progress.js";
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
 * @typedef {object} State how far a load has come
 * @property {string} manifest
 * @property {ModelBegun} begun
 * @property {Set<number>} done
 */

const lanes = 2; // parts under way at once

/**
 * call is a call of the engine that returns its result or throws an error with
 * a code.
 *
 * @param {{call: (method: string, params: object, bytes?: Bytes) => any}} engine
 */
export function createLoader({ call }) {
  const store = createStore();
  /** @type {State | null} */
  let unfinished = null; // of a load that failed: the next try goes on there

  /**
   * @param {Source} source
   * @param {{onProgress: (p: Progress) => void, signal: AbortSignal}} options
   * @returns {Promise<ModelInfo>}
   */
  async function load(source, { onProgress, signal }) {
    const manifest = await manifestOf(source, signal);
    const state = resume(manifest);
    const { begun } = state;
    const url = source.url || ownURL(begun.hash);
    const record = { url, manifest, hash: begun.hash, parts: begun.parts };
    const progress = createProgress(begun.parts, state.done, store.note, onProgress);
    try {
      await store.begin(record);
      await loadParts(source, state, progress, signal);
    } catch (error) {
      if (signal.aborted) {
        call("modelClose", { model: begun.model });
        throw new LoadError("cancelled", `${source.url}: cancelled`);
      }
      unfinished = state;
      throw error;
    } finally {
      progress.stop();
      releaseWorkers();
      dropBuffers();
    }
    const info = finish(begun);
    await store.settle(record);
    progress.finish();
    return info;
  }

  /**
   * Loads a model from files of this device, and keeps it with the others.
   *
   * @param {File[]} files a packed folder's, or a checkpoint's
   * @param {{bits: number, onProgress: (p: Progress) => void, signal: AbortSignal}} options
   * @returns {Promise<ModelInfo>}
   */
  async function loadFiles(files, { bits, onProgress, signal }) {
    if (isPacked(files)) return load(fileSource(files), { onProgress, signal });
    return store.drafting(async (draft) => {
      const source = await pack(files, draft, { bits, onProgress, signal });
      return load(source, { onProgress, signal }); // with a record of its own
    });
  }

  /**
   * Packs a checkpoint into the store. Until the model's hash is known, a draft
   * stands for it there.
   *
   * @param {File[]} files
   * @param {string} draft
   * @param {{bits: number, onProgress: (p: Progress) => void, signal: AbortSignal}} options
   */
  async function pack(files, draft, { bits, onProgress, signal }) {
    /** @type {Map<string, Bytes>} */
    const held = new Map();
    /** @type {Part[]} */
    const parts = [];
    const record = { url: ownURL(draft), manifest: "", hash: draft, parts };
    const total = files.reduce((sum, file) => sum + file.size, 0);
    const manifest = await packFiles(files, {
      bits,
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

  /**
   * @param {Source} source
   * @param {State} state
   * @param {ReturnType<typeof createProgress>} progress
   * @param {AbortSignal} signal
   */
  async function loadParts(source, { begun, done }, progress, signal) {
    const failed = new AbortController(); // ends the other lanes
    const stop = AbortSignal.any([signal, failed.signal]);
    let next = 0;
    async function lane() {
      while (next < begun.parts.length) {
        const index = next++;
        if (done.has(index)) continue;
        await loadPart(source, begun, index, progress.of(index), stop);
        done.add(index);
      }
    }
    const all = Array.from({ length: lanes }, lane);
    try {
      await Promise.all(all);
    } catch (error) {
      failed.abort();
      await Promise.allSettled(all); // none may write to a model that is gone
      throw error;
    }
  }

  /**
   * @param {Source} source
   * @param {ModelBegun} begun
   * @param {number} index
   * @param {PartProgress} progress
   * @param {AbortSignal} signal
   */
  async function loadPart(source, begun, index, progress, signal) {
    const part = begun.parts[index];
    const place = async (/** @type {Bytes[]} */ chunks) => {
      const hash = await sha256(chunks);
      let at = 0;
      for (const bytes of chunks) {
        call("modelPart", { model: begun.model, index, at, sha256: hash }, bytes);
        at += bytes.length;
      }
    };
    await store.alone(part, signal, async () => {
      if (await fromStore(part, place, progress)) return;
      await source.part(part, {
        signal,
        progress,
        async take(chunks) {
          await place(chunks);
          await store.put(part, chunks);
        },
      });
    });
    progress.done();
  }

  /**
   * Whether the part was in the store, and right. A wrong one goes.
   *
   * @param {Part} part
   * @param {(chunks: Bytes[]) => Promise<void>} place
   * @param {PartProgress} progress
   */
  async function fromStore(part, place, progress) {
    const response = await store.get(part);
    if (!response) return false;
    let right = false;
    try {
      // Not piece by piece: a stored body's stream in Chromium may never give its first one.
      const bytes = new Uint8Array(await response.arrayBuffer());
      progress.share(bytes.length / part.bytes);
      right = bytes.length === part.bytes;
      if (right) await place([bytes]);
    } catch {
      right = false; // other bytes, or a file that can't be read any more
    }
    if (right) return true;
    await store.remove(part);
    return false;
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

  /** @param {string} manifest @returns {State} */
  function resume(manifest) {
    const old = unfinished;
    unfinished = null;
    if (old?.manifest === manifest) return old;
    if (old) call("modelClose", { model: old.begun.model });
    return { manifest, begun: call("modelBegin", { manifest }), done: new Set() };
  }

  /** The source's manifest, or the stored one when it can't be reached.
   * @param {Source} source @param {AbortSignal} signal */
  async function manifestOf(source, signal) {
    const stored = await store.manifest(source.url);
    try {
      return await source.manifest(signal, stored === null);
    } catch (error) {
      if (signal.aborted || stored === null) throw error;
      return stored;
    }
  }

  return { load, loadFiles, stored: store.list, forget: store.forget };
}

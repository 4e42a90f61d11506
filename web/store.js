/**
 * Keeps parts in Cache Storage, decoded, under their sha256: the same part of
 * two models or two hosts is kept once. A record of each model says which parts
 * are its own; it is written first, so that no part lies there unlisted. Where
 * there is no Cache Storage (no secure context, some private windows) or no
 * room, everything still works from memory and note() says why.
 */

import { LoadError } from "./loaderror.js";

/**
 * @typedef {import("./api.d.ts").Part} Part
 * @typedef {import("./decompress.js").Bytes} Bytes
 * @typedef {import("./engine.js").Stored} Stored
 *
 * @typedef {object} Record of a model
 * @property {string} url of its manifest
 * @property {string} manifest
 * @property {string} hash
 * @property {Part[]} parts
 */

const cacheName = "models-1";
const drafts = "draft-"; // what hashes of drafts begin with
const notes = {
  none: "This window can't store models: they are downloaded again next time.",
  full: "There is no room to store the model: it is downloaded again next time.",
};

export function createStore() {
  let note = "";
  /** @type {Promise<Cache | null> | undefined} */
  let opened;

  /** @returns {Promise<Cache | null>} */
  function open() {
    opened ??= openCache();
    return opened;
  }

  async function openCache() {
    try {
      return await caches.open(cacheName);
    } catch {
      note = notes.none;
      return null;
    }
  }

  /** @param {string} name @param {BodyInit} body @returns {Promise<boolean>} whether it is stored now */
  async function write(name, body) {
    const cache = await open();
    if (!cache || note === notes.full) return false;
    try {
      await cache.put(keyOf(name), new Response(body));
      return true;
    } catch {
      note = notes.full;
      return false;
    }
  }

  /**
   * Does work on a part while no other tab or frame does: they wait, and then
   * find it stored. Where nothing can be stored there is nothing to wait for.
   *
   * @template T
   * @param {Part} part
   * @param {AbortSignal} signal
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  async function alone(part, signal, work) {
    if (!(await open()) || note || !navigator.locks) return work();
    try {
      return await navigator.locks.request(`${cacheName}/${part.sha256}`, { signal }, work);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new LoadError("cancelled", `${part.file}: cancelled`);
    }
  }

  /**
   * Does work whose parts lie under a draft's record, which goes afterwards.
   *
   * @template T
   * @param {(draft: string) => Promise<T>} work
   * @returns {Promise<T>}
   */
  async function drafting(work) {
    const draft = `${drafts}${Math.random().toString(36).slice(2)}`;
    const whole = async () => {
      try {
        return await work(draft);
      } finally {
        await forget(draft);
      }
    };
    if (!(await open()) || !navigator.locks) return whole();
    return navigator.locks.request(`${cacheName}/${draft}`, whole);
  }

  /** Forgets the drafts of tabs that were closed over them, and parts that came after
   * their model was forgotten. */
  async function sweep() {
    const cache = await open();
    const keys = (await cache?.keys()) ?? []; // before the records, which are written first
    const { held = [] } = (await navigator.locks?.query()) ?? {};
    const busy = new Set(held.map((lock) => lock.name));
    const all = await records();
    const listed = new Set(all.flatMap((r) => r.parts.map((p) => keyOf(p.sha256))));
    for (const { url } of keys) if (!isRecord(url) && !listed.has(url)) await cache?.delete(url);
    for (const { hash } of all) {
      if (hash.startsWith(drafts) && !busy.has(`${cacheName}/${hash}`)) await forget(hash);
    }
  }

  /** @returns {Promise<Record[]>} */
  async function records() {
    const cache = await open();
    if (!cache) return [];
    const keys = (await cache.keys()).filter((r) => isRecord(r.url));
    const answers = await Promise.all(keys.map((k) => cache.match(k)));
    return Promise.all(answers.flatMap((r) => (r ? [r.json()] : [])));
  }

  /** Deletes a model's parts, but for those that another stored model shares.
   * @param {string} hash */
  async function forget(hash) {
    const cache = await open();
    const all = await records();
    const others = all.filter((r) => r.hash !== hash);
    const kept = new Set(others.flatMap((r) => r.parts.map((p) => p.sha256)));
    for (const { parts } of all.filter((r) => r.hash === hash)) {
      for (const p of parts) if (!kept.has(p.sha256)) await cache?.delete(keyOf(p.sha256));
    }
    await cache?.delete(keyOf(`manifest/${hash}`));
    if (note === notes.full) note = "";
  }

  return {
    alone,
    drafting,
    forget,
    note: () => note,

    /** @param {Part} part @returns {Promise<Response | null>} */
    get: async (part) => (await (await open())?.match(keyOf(part.sha256))) ?? null,

    /** Only what was checked may come here. @param {Part} part @param {Bytes[]} chunks */
    put: (part, chunks) => write(part.sha256, streamOf(chunks)),

    /** @param {Part} part */
    remove: async (part) => void (await (await open())?.delete(keyOf(part.sha256))),

    /** Says whose the parts to come are. There may be room by now.
     * @param {Record} record */
    begin(record) {
      if (note === notes.full) note = "";
      return write(`manifest/${record.hash}`, JSON.stringify(record));
    },

    /** Forgets what lay at the address of a model that is whole now. @param {Record} record */
    async settle({ url, hash }) {
      for (const r of await records()) if (r.url === url && r.hash !== hash) await forget(r.hash);
    },

    /** @param {string} url @returns {Promise<string | null>} */
    manifest: async (url) => (await records()).find((r) => r.url === url)?.manifest ?? null,

    /** @returns {Promise<{models: Stored[], usage: number, quota: number, note: string}>} */
    async list() {
      await sweep();
      const have = new Set((await (await open())?.keys())?.map((r) => r.url));
      const whole = (await records()).filter(({ hash }) => !hash.startsWith(drafts));
      const models = whole.map(({ url, manifest, hash, parts }) => {
        const here = parts.filter((p) => have.has(keyOf(p.sha256)));
        const bytes = here.reduce((sum, p) => sum + p.bytes, 0);
        return { hash, url, bytes, complete: here.length === parts.length, ...cardOf(manifest) };
      });
      const { usage = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {};
      return { models, usage, quota, note };
    },
  };
}

/**
 * A blob or a buffer would be copied, and kept for as long as the browser likes.
 *
 * @param {Bytes[]} chunks
 */
function streamOf(chunks) {
  const left = chunks.values();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = left.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** What a menu tells of a model. @param {string} manifest as the engine took it */
function cardOf(manifest) {
  const { name, config, quantisation, licence, source } = JSON.parse(manifest);
  return {
    name,
    n_positions: config.n_positions,
    bits: quantisation.bits,
    licence,
    source: source.repo,
  };
}

/** @param {string} key */
const isRecord = (key) => new URL(key).pathname.includes("/manifest/");

/** The cache wants addresses; this one is never fetched. */
function keyOf(/** @type {string} */ name) {
  return new URL(`/.models/${name}`, self.location.href).href;
}

/**
 * Keeps parts in Cache Storage, decoded, under their sha256: the same part of
 * two models or two hosts is kept once. Where there is no Cache Storage (no
 * secure context, some private windows) or no room, everything still works
 * from memory and note() says why.
 */

/**
 * @typedef {import("./api.d.ts").Part} Part
 * @typedef {import("./decompress.js").Bytes} Bytes
 * @typedef {import("./engine.js").Stored} Stored
 */

const cacheName = "models-1";

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
      note = "This window can't store models: they are downloaded again next time.";
      return null;
    }
  }

  /** @param {Part} part @returns {Promise<Bytes | null>} */
  async function get(part) {
    const response = await (await open())?.match(keyOf(part.sha256));
    return response ? new Uint8Array(await response.arrayBuffer()) : null;
  }

  /** @param {Part} part @param {Bytes} bytes */
  async function put(part, bytes) {
    try {
      await (await open())?.put(keyOf(part.sha256), new Response(bytes));
    } catch {
      note = "There is no room to store the model: it is downloaded again next time.";
      opened = Promise.resolve(null);
    }
  }

  /** @param {Part} part */
  async function remove(part) {
    await (await open())?.delete(keyOf(part.sha256));
  }

  /**
   * Stored last, so a manifest in the store means that its parts were complete.
   *
   * @param {string} url
   * @param {string} manifest
   * @param {{hash: string, name: string, parts: Part[]}} model
   */
  async function putManifest(url, manifest, { hash, name, parts }) {
    try {
      const record = JSON.stringify({ url, manifest, hash, name, parts });
      await (await open())?.put(keyOf(`manifest/${hash}`), new Response(record));
    } catch {
      note = "There is no room to store the model: it is downloaded again next time.";
    }
  }

  /** @returns {Promise<{url: string, manifest: string, hash: string, name: string, parts: Part[]}[]>} */
  async function records() {
    const cache = await open();
    if (!cache) return [];
    const keys = (await cache.keys()).filter((r) => new URL(r.url).pathname.includes("/manifest/"));
    const answers = await Promise.all(keys.map((k) => cache.match(k)));
    return Promise.all(answers.flatMap((r) => (r ? [r.json()] : [])));
  }

  /** @param {string} url @returns {Promise<string | null>} */
  async function manifest(url) {
    return (await records()).find((r) => r.url === url)?.manifest ?? null;
  }

  /** @returns {Promise<{models: Stored[], usage: number, quota: number}>} */
  async function list() {
    const cache = await open();
    /** @type {Stored[]} */
    const models = [];
    for (const { hash, name, parts } of await records()) {
      const have = await Promise.all(parts.map((p) => cache?.match(keyOf(p.sha256))));
      const bytes = parts.reduce((sum, p, i) => sum + (have[i] ? p.bytes : 0), 0);
      models.push({ hash, name, bytes, complete: have.every(Boolean) });
    }
    const { usage = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    return { models, usage, quota };
  }

  /** Deletes a model's parts, but for those that another stored model shares. */
  async function forget(/** @type {string} */ hash) {
    const all = await records();
    const kept = new Set(
      all.filter((r) => r.hash !== hash).flatMap((r) => r.parts.map((p) => p.sha256)),
    );
    const gone = all.filter((r) => r.hash === hash).flatMap((r) => r.parts);
    for (const part of gone) if (!kept.has(part.sha256)) await remove(part);
    await (await open())?.delete(keyOf(`manifest/${hash}`));
  }

  return { get, put, remove, putManifest, manifest, list, forget, note: () => note };
}

/** The cache wants addresses; this one is never fetched. */
function keyOf(/** @type {string} */ name) {
  return new URL(`/.models/${name}`, self.location.href).href;
}

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { afterEach, beforeEach } from "node:test";
import { brotliCompressSync, brotliDecompressSync } from "node:zlib";
import { webSource } from "../../web/fetch.js";
import { createLoader } from "../../web/loader.js";

// What tests of the loader stand on: a host, Cache Storage, a worker of brotli and
// an engine, all made anew before each test.

export const folder = "https://host.test/models/small/";
export const bytes = [1, 2, 3].map((n) => new Uint8Array(100_000).fill(n));
const sha256 = (/** @type {Uint8Array} */ b) => createHash("sha256").update(b).digest("hex");
export const parts = bytes.map((b, i) => ({
  file: `part-${i}.bin`,
  bytes: b.length,
  sha256: sha256(b),
  codedFile: `part-${i}.bin.br`,
  codedBytes: brotliCompressSync(b).length,
  codedSha256: sha256(brotliCompressSync(b)),
}));

export const manifest = JSON.stringify({
  name: "Small",
  config: { n_positions: 64 },
  quantisation: { bits: 8 },
  licence: "MIT",
  source: { repo: "someone/small" },
});

/** @type {any} */
export const world = globalThis;
export const realSetTimeout = setTimeout;
const patience = 30_000; // ms

/** The world outside the loader. */
export const site = {
  /** @type {Map<string, () => Response | Promise<Response>>} what the host answers, by file */
  host: new Map(),
  /** @type {string[]} files that were asked for */
  asked: [],
  /** @type {Map<string, Uint8Array>} what lies in Cache Storage */
  stored: new Map(),
  /** May throw, as a full disk does. @param {string} _key */
  onPut(_key) {},
};

beforeEach(() => {
  site.host = new Map([["manifest.json", () => new Response(manifest)]]);
  parts.forEach((p, i) => {
    site.host.set(
      p.codedFile,
      () => new Response(bytes[i], { headers: { "content-encoding": "br" } }),
    );
  });
  site.asked = [];
  site.stored = new Map();
  site.onPut = () => {};
  world.self = { location: { href: "https://host.test/v/worker.js" } };
  world.setTimeout = (/** @type {Function} */ f, /** @type {number} */ ms) =>
    realSetTimeout(f, ms < patience ? 0 : ms);
  world.fetch = async (/** @type {string} */ url, /** @type {RequestInit} */ { signal }) => {
    signal?.throwIfAborted();
    const file = url.slice(folder.length);
    site.asked.push(file);
    return (site.host.get(file) ?? (() => new Response("", { status: 404 })))();
  };
  world.caches = { open: async () => cache };
  world.Worker = NodeBrotli;
  world.navigator ??= {};
});

afterEach(() => {
  world.setTimeout = realSetTimeout;
});

const cache = {
  match: async (/** @type {any} */ key) => {
    const body = site.stored.get(key.url ?? key);
    return body && new Response(/** @type {any} */ (body));
  },
  put: async (/** @type {string} */ key, /** @type {Response} */ response) => {
    site.onPut(key);
    site.stored.set(key, new Uint8Array(await response.arrayBuffer()));
  },
  delete: async (/** @type {string} */ key) => site.stored.delete(key),
  keys: async () => [...site.stored.keys()].map((url) => ({ url })),
};

/** Stands for unbrotli.worker.js. */
class NodeBrotli {
  onmessage = (/** @type {any} */ _message) => {};
  onerror = () => {};
  terminate() {}
  postMessage(/** @type {{coded: Uint8Array[]}} */ { coded }) {
    let answer;
    try {
      answer = { coded, decoded: [new Uint8Array(brotliDecompressSync(Buffer.concat(coded)))] };
    } catch (error) {
      answer = { coded, error: String(error) };
    }
    queueMicrotask(() => this.onmessage({ data: answer }));
  }
}

/** An engine that checks parts as Go does. */
export function createEngine() {
  /** @type {string[]} */
  const calls = [];
  const taken = new Set();
  const memory = bytes.map((b) => new Uint8Array(b.length));
  const call = (/** @type {string} */ method, /** @type {any} */ params, /** @type {any} */ b) => {
    calls.push(method);
    if (method === "modelBegin") return { model: 7, name: "Small", hash: "abc", parts };
    if (method === "modelPart") {
      const { index, at, sha256: told } = params;
      memory[index].set(b, at);
      if (at + b.length < memory[index].length) return {};
      if ((told || sha256(memory[index])) !== parts[index].sha256) {
        throw Object.assign(new Error(`part-${index}.bin: corrupt`), { code: "bad_model" });
      }
      taken.add(index);
    }
    if (method === "modelEnd") {
      assert.equal(taken.size, parts.length);
      return { model: 7, hash: "abc", name: "Small" };
    }
    return {};
  };
  return { calls, call };
}

/** @param {{signal?: AbortSignal, onProgress?: (p: any) => void}} [options] */
export async function load({ signal = new AbortController().signal, onProgress = () => {} } = {}) {
  const engine = createEngine();
  const loader = createLoader(Promise.resolve(engine));
  const info = await loader.load(webSource(folder), { signal, onProgress });
  return { info, loader, calls: engine.calls };
}

/** Fetching that waits for ever for one file. @param {Function} fetching @param {string} file */
export function neverAnswers(fetching, file) {
  return (/** @type {string} */ url, /** @type {RequestInit} */ options) => {
    if (!url.endsWith(file)) return fetching(url, options);
    return new Promise((_, reject) => {
      const stop = () => reject(new DOMException("aborted", "AbortError"));
      options.signal?.addEventListener("abort", stop);
    });
  };
}

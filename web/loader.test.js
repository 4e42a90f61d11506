import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { afterEach, beforeEach, test } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gzipSync } from "node:zlib";
import { webSource } from "./fetch.js";
import { createLoader } from "./loader.js";
import { createStore } from "./store.js";

const folder = "https://host.test/models/small/";
const bytes = [1, 2, 3].map((n) => new Uint8Array(100_000).fill(n));
const sha256 = (/** @type {Uint8Array} */ b) => createHash("sha256").update(b).digest("hex");
const parts = bytes.map((b, i) => ({
  file: `part-${i}.bin`,
  bytes: b.length,
  sha256: sha256(b),
  codedFile: `part-${i}.bin.br`,
  codedBytes: brotliCompressSync(b).length,
  codedSha256: sha256(brotliCompressSync(b)),
}));

const manifest = JSON.stringify({
  name: "Small",
  config: { n_positions: 64 },
  quantisation: { bits: 8 },
  licence: "MIT",
  source: { repo: "someone/small" },
});

/** @type {any} */
const world = globalThis;
const realSetTimeout = setTimeout;
const patience = 30_000; // ms
/** @type {Map<string, () => Response | Promise<Response>>} what the host answers, by file */
let host;
/** @type {string[]} files that were asked for */
let asked;
/** @type {Map<string, Uint8Array>} what lies in Cache Storage */
let stored;
/** @type {(key: string) => void} may throw, as a full disk does */
let onPut;

beforeEach(() => {
  host = new Map([["manifest.json", () => new Response(manifest)]]);
  parts.forEach((p, i) => {
    host.set(p.codedFile, () => new Response(bytes[i], { headers: { "content-encoding": "br" } }));
  });
  asked = [];
  stored = new Map();
  onPut = () => {};
  world.self = { location: { href: "https://host.test/v/worker.js" } };
  world.setTimeout = (/** @type {Function} */ f, /** @type {number} */ ms) =>
    realSetTimeout(f, ms < patience ? 0 : ms);
  world.fetch = async (/** @type {string} */ url, /** @type {RequestInit} */ { signal }) => {
    signal?.throwIfAborted();
    const file = url.slice(folder.length);
    asked.push(file);
    return (host.get(file) ?? (() => new Response("", { status: 404 })))();
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
    const body = stored.get(key.url ?? key);
    return body && new Response(/** @type {any} */ (body));
  },
  put: async (/** @type {string} */ key, /** @type {Response} */ response) => {
    onPut(key);
    stored.set(key, new Uint8Array(await response.arrayBuffer()));
  },
  delete: async (/** @type {string} */ key) => stored.delete(key),
  keys: async () => [...stored.keys()].map((url) => ({ url })),
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
function createEngine() {
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
async function load({ signal = new AbortController().signal, onProgress = () => {} } = {}) {
  const engine = createEngine();
  const loader = createLoader(Promise.resolve(engine));
  const info = await loader.load(webSource(folder), { signal, onProgress });
  return { info, loader, calls: engine.calls };
}

test("loads what the browser has decoded", async (t) => {
  let now = 0; // the host takes a second for each file
  t.mock.method(performance, "now", () => now);
  for (const [file, answer] of host) {
    host.set(file, () => {
      now += 1000;
      return answer();
    });
  }
  /** @type {any[]} */
  const seen = [];
  const { info, calls } = await load({ onProgress: (p) => seen.push(p) });
  assert.equal(info.hash, "abc");
  assert.deepEqual(calls, ["modelBegin", "modelPart", "modelPart", "modelPart", "modelEnd"]);
  assert.deepEqual(seen.at(-1), {
    loaded: 300_000,
    total: 300_000,
    wire: 300_000,
    part: 3,
    parts: 3,
    note: "",
    rate: 100_000,
    left: 0,
  });
});

/** A loader whose engine still starts, and what starts it. */
function beforeEngine() {
  const engine = createEngine();
  let start = (/** @type {ReturnType<typeof createEngine>} */ _) => {};
  const loader = createLoader(new Promise((resolve) => (start = resolve)));
  return { engine, loader, start: () => start(engine) };
}
const whole = JSON.stringify({
  ...JSON.parse(manifest),
  parts: parts.map((p) => ({
    file: p.file,
    bytes: p.bytes,
    sha256: p.sha256,
    coded_file: p.codedFile,
    coded_bytes: p.codedBytes,
    coded_sha256: p.codedSha256,
  })),
});
/** Waits for what takes several turns. @param {() => boolean} done */
async function until(done) {
  while (!done()) await new Promise((resolve) => setImmediate(resolve));
}

test("while the engine starts, the first parts come already", async () => {
  host.set("manifest.json", () => new Response(whole));
  const { engine, loader, start } = beforeEngine();
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const loading = loader.load(webSource(folder), options);
  await until(() => asked.length === 3);
  assert.deepEqual(asked, ["manifest.json", "part-0.bin.br", "part-1.bin.br"]);
  assert.equal(stored.size, 0); // nothing that Go has not taken
  start();
  assert.equal((await loading).hash, "abc");
  assert.equal(engine.calls[0], "modelBegin");
  assert.equal(asked.length, 4);
  assert.equal(stored.size, 4);
});

test("a manifest that the engine refuses when it has started: stored parts stay", async () => {
  await load();
  host.set("manifest.json", () => new Response(whole));
  const { engine, loader, start } = beforeEngine();
  engine.call = () => {
    throw Object.assign(new Error("manifest: format: 2, want 1"), { code: "bad_model" });
  };
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const loading = loader.load(webSource(folder), options);
  start();
  await assert.rejects(loading, { code: "bad_model", message: /format: 2/ });
  assert.equal(stored.size, 4);
});

test("a load is cancelled before the engine has started", async () => {
  host.set("manifest.json", () => new Response(whole));
  const { engine, loader, start } = beforeEngine();
  const controller = new AbortController();
  const options = { signal: controller.signal, onProgress: () => {} };
  const loading = loader.load(webSource(folder), options);
  await until(() => asked.length === 3);
  controller.abort();
  start();
  await assert.rejects(loading, { code: "cancelled" });
  await until(() => engine.calls.includes("modelClose"));
  assert.deepEqual(engine.calls, ["modelBegin", "modelClose"]);
});

for (const [what, change] of /** @type {[string, (m: any) => any][]} */ ([
  ["leads out of its folder", (m) => ({ ...m, parts: [{ ...m.parts[0], coded_file: "../x" }] })],
  ["names no parts", (m) => ({ ...m, parts: undefined })],
]))
  test(`a manifest that ${what} waits for the engine`, async () => {
    host.set("manifest.json", () => new Response(JSON.stringify(change(JSON.parse(whole)))));
    const { loader, start } = beforeEngine();
    const options = { signal: new AbortController().signal, onProgress: () => {} };
    const loading = loader.load(webSource(folder), options);
    await new Promise((resolve) => realSetTimeout(resolve, 20));
    assert.deepEqual(asked, ["manifest.json"]);
    start();
    await loading;
  });

test("the second time nothing but the manifest is asked for", async () => {
  await load();
  asked = [];
  const { loader } = await load();
  assert.deepEqual(asked, ["manifest.json"]);
  const { models } = await loader.stored();
  const card = { name: "Small", n_positions: 64, bits: 8, licence: "MIT", source: "someone/small" };
  const url = `${folder}manifest.json`;
  assert.deepEqual(models, [{ hash: "abc", url, bytes: 300_000, complete: true, ...card }]);
});

test("without a host a stored model still loads", async () => {
  await load();
  world.fetch = async () => {
    throw new TypeError("Failed to fetch");
  };
  assert.equal((await load()).info.hash, "abc");
});

test("forgetting a model empties the store", async () => {
  const { loader } = await load();
  assert.equal(stored.size, 4);
  await loader.forget("abc");
  assert.equal(stored.size, 0);
});

for (const [what, code] of /** @type {[string, (b: Uint8Array) => Uint8Array][]} */ ([
  ["brotli without its header", brotliCompressSync],
  ["brotli twice", (b) => brotliCompressSync(brotliCompressSync(b))],
  ["gzip without its header", gzipSync],
  ["gzip over brotli", (b) => gzipSync(brotliCompressSync(b))],
])) {
  test(`takes ${what}`, async () => {
    parts.forEach((p, i) => {
      host.set(p.codedFile, () => new Response(/** @type {any} */ (code(bytes[i]))));
    });
    await load();
    assert.deepEqual(stored.get(`https://host.test/.models/${parts[0].sha256}`), bytes[0]);
  });
}

test("a web page with status 200 is no part and is not stored", async () => {
  const page = () =>
    new Response("<!doctype html>", { headers: { "content-type": "text/html; charset=utf-8" } });
  host.set("part-1.bin.br", page);
  await assert.rejects(load(), { code: "network", message: /part-1.bin.br: .* web page/ });
  assert.equal(asked.filter((f) => f === "part-1.bin.br").length, 1);
  assert.ok(!stored.has(`https://host.test/.models/${parts[1].sha256}`));

  host.set("manifest.json", page);
  stored.clear();
  await assert.rejects(load(), { code: "network", message: /manifest.json: .* web page/ });
});

test("a part that is missing is named", async () => {
  host.delete("part-2.bin.br");
  await assert.rejects(load(), { code: "network", message: /part-2.bin.br: .* 404/ });
});

test("a busy host is asked again", async () => {
  let times = 0;
  const good = /** @type {() => Response} */ (host.get("part-0.bin.br"));
  host.set("part-0.bin.br", () => (++times < 3 ? new Response("", { status: 503 }) : good()));
  await load();
  assert.equal(times, 3);
});

for (const [what, broken] of /** @type {[string, Uint8Array][]} */ ([
  ["a changed byte", bytes[1].with(5, 9)],
  ["half a part", bytes[1].slice(0, 50_000)],
  ["half a brotli file", brotliCompressSync(bytes[1]).subarray(0, 8)],
  ["nothing", new Uint8Array(0)],
])) {
  test(`${what} is fetched again, and refused for good after four times`, async () => {
    const good = /** @type {() => Response} */ (host.get("part-1.bin.br"));
    let times = 0;
    host.set("part-1.bin.br", () =>
      ++times < 2 ? new Response(/** @type {any} */ (broken)) : good(),
    );
    await load();
    assert.equal(times, 2);

    stored.clear();
    times = -99;
    await assert.rejects(load(), { code: "bad_model", message: /part-1.bin/ });
    assert.equal(times, -95);
    assert.ok(!stored.has(`https://host.test/.models/${parts[1].sha256}`));
  });
}

test("after a failure only the missing parts are fetched", async () => {
  host.set("part-2.bin.br", async () => {
    while (stored.size < 3) await new Promise(setImmediate); // the record and the others are in
    return new Response("", { status: 500 });
  });
  await assert.rejects(load());
  host.set("part-2.bin.br", () => new Response(bytes[2]));
  asked = [];
  await load();
  assert.deepEqual(asked, ["manifest.json", "part-2.bin.br"]);
});

test("the same without a cache: the parts in memory count", async () => {
  world.caches = undefined;
  const engine = createEngine();
  const loader = createLoader(Promise.resolve(engine));
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  host.set("part-1.bin.br", async () => {
    while (!engine.calls.includes("modelPart")) await new Promise(setImmediate); // the first is in
    return new Response("", { status: 500 });
  });
  await assert.rejects(loader.load(webSource(folder), options), { code: "network" });
  host.set("part-1.bin.br", () => new Response(/** @type {any} */ (bytes[1])));
  asked = [];
  await loader.load(webSource(folder), options);
  assert.equal(asked.filter((f) => f === "part-1.bin.br").length, 1);
  assert.ok(!asked.includes("part-0.bin.br"));
  assert.equal(engine.calls.filter((m) => m === "modelBegin").length, 1);
});

test("a failed load of another model is let go", async () => {
  const engine = createEngine();
  const loader = createLoader(Promise.resolve(engine));
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  host.set("part-1.bin.br", () => new Response("", { status: 404 }));
  await assert.rejects(loader.load(webSource(folder), options), { code: "network" });
  host.set("manifest.json", () => new Response(manifest.replace("Small", "Other")));
  await assert.rejects(loader.load(webSource(folder), options), { code: "network" });
  assert.equal(engine.calls.filter((m) => m === "modelClose").length, 1);
});

test("a stored part that went bad is fetched again", async () => {
  await load();
  const key = `https://host.test/.models/${parts[1].sha256}`;
  stored.set(key, bytes[0]);
  asked = [];
  await load();
  assert.deepEqual(asked, ["manifest.json", "part-1.bin.br"]);
  assert.deepEqual(stored.get(key), bytes[1]);
});

test("a full disk or no cache: from memory, and said so", async () => {
  /** @type {any} */
  let last;
  onPut = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  await load({ onProgress: (p) => (last = p) });
  assert.match(last.note, /no room/);

  world.caches = undefined;
  await load({ onProgress: (p) => (last = p) });
  assert.match(last.note, /can't store/);
});

test("cancelling ends the load and frees the model", async () => {
  const controller = new AbortController();
  const engine = createEngine();
  host.set("part-1.bin.br", () => {
    controller.abort();
    throw controller.signal.reason;
  });
  const loading = createLoader(Promise.resolve(engine)).load(webSource(folder), {
    signal: controller.signal,
    onProgress: () => {},
  });
  await assert.rejects(loading, { code: "cancelled" });
  assert.equal(engine.calls.at(-1), "modelClose");
  assert.ok(!engine.calls.includes("modelEnd"));
});

for (const share of [0.1, 0.5, 0.99]) {
  test(`a part cut at ${100 * share} %: fetched again, and nothing else is`, async () => {
    const good = /** @type {() => Response} */ (host.get("part-1.bin.br"));
    let times = 0;
    host.set("part-1.bin.br", () => (++times < 2 ? cut(bytes[1], share) : good()));
    await load();
    assert.equal(times, 2);
    assert.equal(asked.filter((f) => f === "part-0.bin.br").length, 1);
    assert.deepEqual(stored.get(`https://host.test/.models/${parts[1].sha256}`), bytes[1]);
  });
}

/** An answer that breaks off. @param {Uint8Array} whole @param {number} share */
function cut(whole, share) {
  let sent = false;
  const body = new ReadableStream({
    pull(controller) {
      if (sent) return controller.error(new TypeError("network error"));
      sent = true;
      controller.enqueue(whole.slice(0, whole.length * share));
    },
  });
  return new Response(body, { headers: { "content-encoding": "br" } });
}

for (const index of [0, 1, 2]) {
  test(`a corrupt byte in part ${index}: named, and never stored`, async () => {
    host.set(parts[index].codedFile, () => {
      const wrong = /** @type {any} */ (bytes[index].with(77, 9));
      return new Response(wrong, { headers: { "content-encoding": "br" } });
    });
    await assert.rejects(load(), { code: "bad_model", message: `part-${index}.bin: corrupt` });
    assert.ok(!stored.has(`https://host.test/.models/${parts[index].sha256}`));
  });
}

test("a wrong manifest is told, and no part is asked for", async () => {
  const engine = createEngine();
  const { call } = engine;
  engine.call = (method, params, b) => {
    if (method !== "modelBegin") return call(method, params, b);
    throw Object.assign(new Error("manifest: format: 2, want 1"), { code: "bad_model" });
  };
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const loading = createLoader(Promise.resolve(engine)).load(webSource(folder), options);
  await assert.rejects(loading, { code: "bad_model", message: /format: 2/ });
  assert.deepEqual(asked, ["manifest.json"]);
  assert.equal(stored.size, 0);
});

test("a host that is gone and comes back: the load goes on by itself", async () => {
  const good = new Map(host);
  let down = 3;
  for (const { codedFile } of parts) {
    host.set(codedFile, () => {
      if (down-- > 0) throw new TypeError("Failed to fetch");
      return /** @type {() => Response} */ (good.get(codedFile))();
    });
  }
  assert.equal((await load()).info.hash, "abc");
});

test("room for one part only: that one is kept, the next load fetches the others", async () => {
  let room = 150_000;
  onPut = (key) => {
    if (key.includes("/manifest/")) return;
    room -= 100_000;
    if (room < 0) throw new DOMException("full", "QuotaExceededError");
  };
  const { loader } = await load();
  const [{ bytes: kept, complete }] = (await loader.stored()).models;
  assert.deepEqual([kept, complete], [100_000, false]);
  asked = [];
  await load();
  assert.equal(asked.length, 1 + 2);
});

test("a disk that was full is tried again by the next load", async () => {
  const loader = createLoader(Promise.resolve(createEngine()));
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  onPut = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  await loader.load(webSource(folder), options);
  assert.equal(stored.size, 0);
  onPut = () => {};
  await loader.load(webSource(folder), options);
  assert.equal(stored.size, 1 + parts.length);
});

/** Locks of one origin. @param {() => Promise<unknown>} work */
async function withLocks(work) {
  const turns = new Map();
  /** @type {{name: string}[]} */
  const held = [];
  world.navigator.locks = {
    /** @param {string} name @param {...any} rest options, if any, and what to do */
    async request(name, ...rest) {
      const hold = async () => {
        held.push({ name });
        try {
          return await rest[rest.length - 1]();
        } finally {
          held.splice(held.findIndex((lock) => lock.name === name), 1); // biome-ignore format: short
        }
      };
      const turn = (turns.get(name) ?? Promise.resolve()).then(hold, hold);
      turns.set(name, turn);
      return turn;
    },
    query: async () => ({ held: [...held] }),
  };
  try {
    await work();
  } finally {
    world.navigator.locks = undefined;
  }
}

test("two tabs: each part is downloaded once", async () => {
  await withLocks(() => Promise.all([load(), load()]));
  for (const { codedFile } of parts) {
    assert.equal(asked.filter((f) => f === codedFile).length, 1, codedFile);
  }
});

test("a tab closed while it packs a model: what it left goes, what another packs stays", async () => {
  const [store, other] = [createStore(), createStore()];
  const [left, packed] = /** @type {any[]} */ (parts);
  const record = { url: "own:draft-x", manifest: "", hash: "draft-x", parts: [left] };
  await store.begin(record);
  await store.put(left, [new Uint8Array(bytes[0])]);
  await withLocks(() =>
    other.drafting(async (draft) => {
      await other.begin({ ...record, hash: draft, parts: [packed] });
      await other.put(packed, [new Uint8Array(bytes[1])]);
      assert.deepEqual((await store.list()).models, []);
      assert.equal(stored.size, 2);
      assert.deepEqual(stored.get(`https://host.test/.models/${packed.sha256}`), bytes[1]);
    }),
  );
  assert.equal(stored.size, 0);
});

test("a model forgotten while it loads, as by another tab: no part stays unlisted", async () => {
  const [store, other] = [createStore(), createStore()];
  const [first, later] = /** @type {any[]} */ (parts);
  await store.begin({ url: folder, manifest, hash: "abc", parts: [first, later] });
  await store.put(first, [new Uint8Array(bytes[0])]);
  await other.forget("abc");
  await store.put(later, [new Uint8Array(bytes[1])]);
  assert.deepEqual((await other.list()).models, []);
  assert.equal(stored.size, 0);
});

test("a list says why nothing is kept", async () => {
  assert.equal((await createStore().list()).note, "");
  world.caches = undefined;
  assert.match((await createStore().list()).note, /can't store models/);
});

test("a tab closed in the middle: what was whole stays, and is listed", async () => {
  const answers = world.fetch;
  world.fetch = neverAnswers(answers, "part-2.bin.br");
  const { loader, tab } = await closeAfter(2);
  const [{ bytes: kept, complete }] = (await loader.stored()).models;
  assert.deepEqual([kept, complete], [200_000, false]);
  tab.abort(); // only now, or it would tidy up
  world.fetch = answers;
  host.set("part-2.bin.br", () => new Response(/** @type {any} */ (bytes[2])));
  asked = [];
  await load();
  assert.deepEqual(asked, ["manifest.json", "part-2.bin.br"]);
});

/** Begins a load and looks away when so many parts are stored.
 * @param {number} count */
async function closeAfter(count) {
  const loader = createLoader(Promise.resolve(createEngine()));
  const tab = new AbortController();
  loader.load(webSource(folder), { signal: tab.signal, onProgress: () => {} }).catch(() => {});
  while (stored.size < 1 + count) await new Promise((resolve) => setImmediate(resolve));
  return { loader, tab };
}

test("nothing is sent for half a minute: the connection is given up, and tried again", async () => {
  world.setTimeout = (/** @type {Function} */ f) => realSetTimeout(f, 0);
  world.fetch = neverAnswers(world.fetch, "part-1.bin.br");
  await assert.rejects(load(), {
    code: "network",
    message: /part-1.* sent nothing for 30 seconds/,
  });
});

/** Fetching that waits for ever for one file. @param {Function} fetching @param {string} file */
function neverAnswers(fetching, file) {
  return (/** @type {string} */ url, /** @type {RequestInit} */ options) => {
    if (!url.endsWith(file)) return fetching(url, options);
    return new Promise((_, reject) => {
      const stop = () => reject(new DOMException("aborted", "AbortError"));
      options.signal?.addEventListener("abort", stop);
    });
  };
}

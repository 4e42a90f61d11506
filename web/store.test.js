import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bytes,
  createEngine,
  folder,
  load,
  manifest,
  neverAnswers,
  parts,
  site,
  world,
} from "../tools/nodeengine/loading.js";
import { webSource } from "./fetch.js";
import { createLoader } from "./loader.js";
import { createStore } from "./store.js";

test("the second time nothing but the manifest is asked for", async () => {
  await load();
  site.asked = [];
  const { loader } = await load();
  assert.deepEqual(site.asked, ["manifest.json"]);
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
  assert.equal(site.stored.size, 4);
  await loader.forget("abc");
  assert.equal(site.stored.size, 0);
});

test("after a failure only the missing parts are fetched", async () => {
  site.host.set("part-2.bin.br", async () => {
    while (site.stored.size < 3) await new Promise(setImmediate); // the record and the others are in
    return new Response("", { status: 500 });
  });
  await assert.rejects(load());
  site.host.set("part-2.bin.br", () => new Response(bytes[2]));
  site.asked = [];
  await load();
  assert.deepEqual(site.asked, ["manifest.json", "part-2.bin.br"]);
});

test("the same without a cache: the parts in memory count", async () => {
  world.caches = undefined;
  const engine = createEngine();
  const loader = createLoader(Promise.resolve(engine));
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  site.host.set("part-1.bin.br", async () => {
    while (!engine.calls.includes("modelPart")) await new Promise(setImmediate); // the first is in
    return new Response("", { status: 500 });
  });
  await assert.rejects(loader.load(webSource(folder), options), { code: "network" });
  site.host.set("part-1.bin.br", () => new Response(/** @type {any} */ (bytes[1])));
  site.asked = [];
  await loader.load(webSource(folder), options);
  assert.equal(site.asked.filter((f) => f === "part-1.bin.br").length, 1);
  assert.ok(!site.asked.includes("part-0.bin.br"));
  assert.equal(engine.calls.filter((m) => m === "modelBegin").length, 1);
});

test("a stored part that went bad is fetched again", async () => {
  await load();
  const key = `https://host.test/.models/${parts[1].sha256}`;
  site.stored.set(key, bytes[0]);
  site.asked = [];
  await load();
  assert.deepEqual(site.asked, ["manifest.json", "part-1.bin.br"]);
  assert.deepEqual(site.stored.get(key), bytes[1]);
});

test("a full disk or no cache: from memory, and said so", async () => {
  /** @type {any} */
  let last;
  site.onPut = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  await load({ onProgress: (p) => (last = p) });
  assert.match(last.note, /no room/);

  world.caches = undefined;
  await load({ onProgress: (p) => (last = p) });
  assert.match(last.note, /can't store/);
});

test("room for one part only: that one is kept, the next load fetches the others", async () => {
  let room = 150_000;
  site.onPut = (key) => {
    if (key.includes("/manifest/")) return;
    room -= 100_000;
    if (room < 0) throw new DOMException("full", "QuotaExceededError");
  };
  const { loader } = await load();
  const [{ bytes: kept, complete }] = (await loader.stored()).models;
  assert.deepEqual([kept, complete], [100_000, false]);
  site.asked = [];
  await load();
  assert.equal(site.asked.length, 1 + 2);
});

test("a disk that was full is tried again by the next load", async () => {
  const loader = createLoader(Promise.resolve(createEngine()));
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  site.onPut = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  await loader.load(webSource(folder), options);
  assert.equal(site.stored.size, 0);
  site.onPut = () => {};
  await loader.load(webSource(folder), options);
  assert.equal(site.stored.size, 1 + parts.length);
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
    assert.equal(site.asked.filter((f) => f === codedFile).length, 1, codedFile);
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
      assert.equal(site.stored.size, 2);
      assert.deepEqual(site.stored.get(`https://host.test/.models/${packed.sha256}`), bytes[1]);
    }),
  );
  assert.equal(site.stored.size, 0);
});

test("a model forgotten while it loads, as by another tab: no part stays unlisted", async () => {
  const [store, other] = [createStore(), createStore()];
  const [first, later] = /** @type {any[]} */ (parts);
  await store.begin({ url: folder, manifest, hash: "abc", parts: [first, later] });
  await store.put(first, [new Uint8Array(bytes[0])]);
  await other.forget("abc");
  await store.put(later, [new Uint8Array(bytes[1])]);
  assert.deepEqual((await other.list()).models, []);
  assert.equal(site.stored.size, 0);
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
  site.host.set("part-2.bin.br", () => new Response(/** @type {any} */ (bytes[2])));
  site.asked = [];
  await load();
  assert.deepEqual(site.asked, ["manifest.json", "part-2.bin.br"]);
});

/** Begins a load and looks away when so many parts are stored.
 * @param {number} count */
async function closeAfter(count) {
  const loader = createLoader(Promise.resolve(createEngine()));
  const tab = new AbortController();
  loader.load(webSource(folder), { signal: tab.signal, onProgress: () => {} }).catch(() => {});
  while (site.stored.size < 1 + count) await new Promise((resolve) => setImmediate(resolve));
  return { loader, tab };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";
import {
  bytes,
  createEngine,
  folder,
  load,
  neverAnswers,
  parts,
  realSetTimeout,
  site,
  world,
} from "../tools/nodeengine/loading.js";
import { webSource } from "./fetch.js";
import { createLoader } from "./loader.js";

test("a web page with status 200 is no part and is not stored", async () => {
  const page = () =>
    new Response("<!doctype html>", { headers: { "content-type": "text/html; charset=utf-8" } });
  site.host.set("part-1.bin.br", page);
  await assert.rejects(load(), { code: "network", message: /part-1.bin.br: .* web page/ });
  assert.equal(site.asked.filter((f) => f === "part-1.bin.br").length, 1);
  assert.ok(!site.stored.has(`https://host.test/.models/${parts[1].sha256}`));

  site.host.set("manifest.json", page);
  site.stored.clear();
  await assert.rejects(load(), { code: "network", message: /manifest.json: .* web page/ });
});

test("a part that is missing is named", async () => {
  site.host.delete("part-2.bin.br");
  await assert.rejects(load(), { code: "network", message: /part-2.bin.br: .* 404/ });
});

test("a busy host is asked again", async () => {
  let times = 0;
  const good = /** @type {() => Response} */ (site.host.get("part-0.bin.br"));
  site.host.set("part-0.bin.br", () => (++times < 3 ? new Response("", { status: 503 }) : good()));
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
    const good = /** @type {() => Response} */ (site.host.get("part-1.bin.br"));
    let times = 0;
    site.host.set("part-1.bin.br", () =>
      ++times < 2 ? new Response(/** @type {any} */ (broken)) : good(),
    );
    await load();
    assert.equal(times, 2);

    site.stored.clear();
    times = -99;
    await assert.rejects(load(), { code: "bad_model", message: /part-1.bin/ });
    assert.equal(times, -95);
    assert.ok(!site.stored.has(`https://host.test/.models/${parts[1].sha256}`));
  });
}

for (const share of [0.1, 0.5, 0.99]) {
  test(`a part cut at ${100 * share} %: fetched again, and nothing else is`, async () => {
    const good = /** @type {() => Response} */ (site.host.get("part-1.bin.br"));
    let times = 0;
    site.host.set("part-1.bin.br", () => (++times < 2 ? cut(bytes[1], share) : good()));
    await load();
    assert.equal(times, 2);
    assert.equal(site.asked.filter((f) => f === "part-0.bin.br").length, 1);
    assert.deepEqual(site.stored.get(`https://host.test/.models/${parts[1].sha256}`), bytes[1]);
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
    site.host.set(parts[index].codedFile, () => {
      const wrong = /** @type {any} */ (bytes[index].with(77, 9));
      return new Response(wrong, { headers: { "content-encoding": "br" } });
    });
    await assert.rejects(load(), { code: "bad_model", message: `part-${index}.bin: corrupt` });
    assert.ok(!site.stored.has(`https://host.test/.models/${parts[index].sha256}`));
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
  assert.deepEqual(site.asked, ["manifest.json"]);
  assert.equal(site.stored.size, 0);
});

test("a host that is gone and comes back: the load goes on by itself", async () => {
  const good = new Map(site.host);
  let down = 3;
  for (const { codedFile } of parts) {
    site.host.set(codedFile, () => {
      if (down-- > 0) throw new TypeError("Failed to fetch");
      return /** @type {() => Response} */ (good.get(codedFile))();
    });
  }
  assert.equal((await load()).info.hash, "abc");
});

test("nothing is sent for half a minute: the connection is given up, and tried again", async () => {
  world.setTimeout = (/** @type {Function} */ f) => realSetTimeout(f, 0);
  world.fetch = neverAnswers(world.fetch, "part-1.bin.br");
  await assert.rejects(load(), {
    code: "network",
    message: /part-1.* sent nothing for 30 seconds/,
  });
});

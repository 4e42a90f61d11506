import assert from "node:assert/strict";
import { test } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import {
  bytes,
  createEngine,
  folder,
  load,
  manifest,
  parts,
  realSetTimeout,
  site,
} from "../tools/nodeengine/loading.js";
import { webSource } from "./fetch.js";
import { createLoader } from "./loader.js";

test("loads what the browser has decoded", async (t) => {
  let now = 0; // the host takes a second for each file
  t.mock.method(performance, "now", () => now);
  for (const [file, answer] of site.host) {
    site.host.set(file, () => {
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

for (const [what, code] of /** @type {[string, (b: Uint8Array) => Uint8Array][]} */ ([
  ["brotli without its header", brotliCompressSync],
  ["brotli twice", (b) => brotliCompressSync(brotliCompressSync(b))],
  ["gzip without its header", gzipSync],
  ["gzip over brotli", (b) => gzipSync(brotliCompressSync(b))],
])) {
  test(`takes ${what}`, async () => {
    parts.forEach((p, i) => {
      site.host.set(p.codedFile, () => new Response(/** @type {any} */ (code(bytes[i]))));
    });
    await load();
    assert.deepEqual(site.stored.get(`https://host.test/.models/${parts[0].sha256}`), bytes[0]);
  });
}

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
  site.host.set("manifest.json", () => new Response(whole));
  const { engine, loader, start } = beforeEngine();
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const loading = loader.load(webSource(folder), options);
  await until(() => site.asked.length === 3);
  assert.deepEqual(site.asked, ["manifest.json", "part-0.bin.br", "part-1.bin.br"]);
  assert.equal(site.stored.size, 0); // nothing that Go has not taken
  start();
  assert.equal((await loading).hash, "abc");
  assert.equal(engine.calls[0], "modelBegin");
  assert.equal(site.asked.length, 4);
  assert.equal(site.stored.size, 4);
});

test("a manifest that the engine refuses when it has started: stored parts stay", async () => {
  await load();
  site.host.set("manifest.json", () => new Response(whole));
  const { engine, loader, start } = beforeEngine();
  engine.call = () => {
    throw Object.assign(new Error("manifest: format: 2, want 1"), { code: "bad_model" });
  };
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const loading = loader.load(webSource(folder), options);
  start();
  await assert.rejects(loading, { code: "bad_model", message: /format: 2/ });
  assert.equal(site.stored.size, 4);
});

test("a load is cancelled before the engine has started", async () => {
  site.host.set("manifest.json", () => new Response(whole));
  const { engine, loader, start } = beforeEngine();
  const controller = new AbortController();
  const options = { signal: controller.signal, onProgress: () => {} };
  const loading = loader.load(webSource(folder), options);
  await until(() => site.asked.length === 3);
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
    site.host.set("manifest.json", () => new Response(JSON.stringify(change(JSON.parse(whole)))));
    const { loader, start } = beforeEngine();
    const options = { signal: new AbortController().signal, onProgress: () => {} };
    const loading = loader.load(webSource(folder), options);
    await new Promise((resolve) => realSetTimeout(resolve, 20));
    assert.deepEqual(site.asked, ["manifest.json"]);
    start();
    await loading;
  });

test("cancelling ends the load and frees the model", async () => {
  const controller = new AbortController();
  const engine = createEngine();
  site.host.set("part-1.bin.br", () => {
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

test("a failed load of another model is let go", async () => {
  const engine = createEngine();
  const loader = createLoader(Promise.resolve(engine));
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  site.host.set("part-1.bin.br", () => new Response("", { status: 404 }));
  await assert.rejects(loader.load(webSource(folder), options), { code: "network" });
  site.host.set("manifest.json", () => new Response(manifest.replace("Small", "Other")));
  await assert.rejects(loader.load(webSource(folder), options), { code: "network" });
  assert.equal(engine.calls.filter((m) => m === "modelClose").length, 1);
});

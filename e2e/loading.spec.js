import { createHash } from "node:crypto";
import { brotliCompressSync, brotliDecompressSync, constants, gzipSync } from "node:zlib";
import { createEnginePage } from "./enginepage.js";
import { cutAt, drip, faults, instead, piecemeal, startFaultyHost } from "./faulty.js";
import { expect, test } from "./fixtures.js";

/**
 * What hosts, disks and people do to a download. The default model is served in
 * four parts here, by a host that goes wrong in a different way in each row.
 * After each, nothing broken is stored; and each row says how often each part
 * was asked for: what is right comes once.
 */

test.describe.configure({ mode: "serial" });

const COUNT = 4;
/** @type {Awaited<ReturnType<typeof startFaultyHost>>} */
let host;
/** @type {Awaited<ReturnType<typeof createEnginePage>>} */
let tab;
/** @type {string} */
let model;
/** @type {any} */
let manifest;
/** @type {Buffer[]} */
let parts; // decoded

test.beforeAll(async ({ browser, server }) => {
  host = await startFaultyHost(server.url);
  const [{ id }] = await (await fetch(`${server.url}models/index.json`)).json();
  model = `${host.url}models/${id}/`;
  const from = `${server.url}models/${id}/`;
  manifest = await (await fetch(`${from}manifest.json`)).json();
  const asItLies = { headers: { "accept-encoding": "identity" } };
  const whole = await Promise.all(
    manifest.parts.map(async (/** @type {any} */ p) => {
      const coded = await (await fetch(from + p.coded_file, asItLies)).arrayBuffer();
      return brotliDecompressSync(coded);
    }),
  );
  const bytes = Buffer.concat(whole);
  const size = Math.ceil(bytes.length / COUNT);
  parts = Array.from({ length: COUNT }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
  const context = await browser.newContext();
  tab = await createEnginePage(await context.newPage(), host.url, model);
});

test.afterAll(async () => {
  await tab?.page.context().close();
  await host?.close();
});

test.beforeEach(async () => {
  host.mend();
  publish();
  await tab.clear();
  host.requests.length = 0;
});

test.afterEach(async () => {
  const { broken } = await tab.stored();
  expect(broken, "what is stored is what it is stored as").toEqual([]);
});

const path = (/** @type {string} */ file) => new URL(model).pathname + file;
const fileOf = (/** @type {number} */ i) => `part-00${i}.bin`;
const sha256 = (/** @type {Buffer} */ b) => createHash("sha256").update(b).digest("hex");
const brotli = (/** @type {Buffer} */ b) =>
  brotliCompressSync(b, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Puts the model on the host. @param {{header?: boolean}} [options] */
function publish({ header = true } = {}) {
  const listed = parts.map((bytes, i) => {
    const coded = brotli(bytes);
    host.serve(path(`${fileOf(i)}.br`), coded, header ? "br" : "");
    return {
      file: fileOf(i),
      bytes: bytes.length,
      sha256: sha256(bytes),
      coded_file: `${fileOf(i)}.br`,
      coded_bytes: coded.length,
      coded_sha256: sha256(coded),
    };
  });
  host.serve(path("manifest.json"), Buffer.from(JSON.stringify({ ...manifest, parts: listed })));
}

/** How often each part was asked for. */
const asked = () => parts.map((_, i) => host.requests.filter((p) => p.includes(fileOf(i))).length);

/** What strikes part 2 once, and what is asked for in all. */
const once = {
  "cut at 10 %": cutAt(0.1),
  "cut at 50 %": cutAt(0.5),
  "cut at 99 %": cutAt(0.99),
  "a corrupt byte": faults.corrupt,
  "a short file": faults.short,
  "an empty file": instead(() => Buffer.alloc(0)),
  "a changed file": instead(() => Buffer.from(parts[3])),
  "a busy host": faults.busy,
};

for (const [name, fault] of Object.entries(once)) {
  test(`${name}: that part comes again, no other`, async () => {
    host.fail(/part-002/, fault, 1);
    expect((await tab.load()).error).toBe("");
    expect(asked()).toEqual([1, 1, 2, 1]);
    expect((await tab.stored()).parts.sort()).toEqual(parts.map(sha256).sort());
    await tab.load();
    expect(asked()).toEqual([1, 1, 2, 1]);
  });
}

test("a corrupt byte that stays: named after four tries, the rest is kept", async () => {
  const wrong = (/** @type {Buffer} */ b) => brotliDecompressSync(b).fill(7, 9, 10);
  host.fail(/part-002/, instead(wrong));
  expect((await tab.load()).error).toMatch(/^bad_model: part-002\.bin/);
  expect(asked()[2]).toBe(4);
  host.mend();
  expect((await tab.load()).error).toBe("");
  expect(asked()).toEqual([1, 1, 5, 1]);
});

test("a web page with status 200: said at once", async () => {
  host.fail(/part-001/, faults.html);
  expect((await tab.load()).error).toMatch(/^network: .*part-001.*web page/);
  expect(asked()[1]).toBe(1);
});

/** What may be wrong with a manifest, and what is said. */
const manifests = /** @type {[string, (m: any) => any, RegExp][]} */ ([
  ["no JSON", () => "{", /manifest/],
  ["another format", (m) => ({ ...m, format: 2 }), /format: 2/],
  ["a part too few", (m) => ({ ...m, parts: m.parts.slice(1) }), /parts: \d+ bytes in 3 parts/],
  ["another config", (m) => ({ ...m, config: { ...m.config, n_head: 5 } }), /n_embd|n_head/],
  [
    "no hash",
    (m) => ({ ...m, parts: m.parts.map((/** @type {any} */ p) => ({ ...p, sha256: "" })) }),
    /sha256/,
  ],
  [
    "a path for a file",
    (m) => ({ ...m, parts: m.parts.map((/** @type {any} */ p) => ({ ...p, file: "../x" })) }),
    /file/,
  ],
]);

test("a wrong manifest: said, and no part is asked for", async () => {
  const good = {
    ...manifest,
    parts: parts.map((b, i) => ({ file: fileOf(i), bytes: b.length, sha256: sha256(b) })),
  };
  for (const [name, change, says] of manifests) {
    const bad = change(good);
    const text = typeof bad === "string" ? bad : JSON.stringify(bad);
    host.serve(path("manifest.json"), Buffer.from(text));
    expect([name, (await tab.load()).error]).toEqual([name, expect.stringMatching(says)]);
  }
  expect(asked()).toEqual([0, 0, 0, 0]);
  expect((await tab.stored()).parts).toEqual([]);
});

test("1 kB/s: bytes, rate and time left move, and it can be cancelled", async () => {
  publish({ header: false });
  host.fail(/part-/, drip(500)); // on each of two lanes
  const loading = tab.load();
  await expect.poll(async () => (await tab.progress()).at(-1)?.left ?? -1).toBeGreaterThan(0);
  await tab.cancel();
  const { error, progress } = await loading;
  expect(error).toMatch(/^cancelled/);
  const last = progress[progress.length - 1];
  expect(progress.every((p, i) => i === 0 || p.loaded >= progress[i - 1].loaded)).toBe(true);
  expect(new Set(progress.map((p) => p.loaded)).size).toBeGreaterThan(5);
  expect(last.rate).toBeGreaterThan(200);
  expect(last.rate).toBeLessThan(2000);
  expect(
    Math.abs(last.left - (last.total - last.loaded) / (last.rate * (last.total / codedSize()))),
  ).toBeLessThan(last.left / 2);
  expect((await tab.stored()).parts).toEqual([]);
});

const codedSize = () => parts.reduce((sum, b) => sum + brotli(b).length, 0);

test("the host is gone, and comes back: the load goes on by itself", async () => {
  host.fail(/part-/, faults.gone, 3);
  expect((await tab.load()).error).toBe("");
  expect(asked().reduce((a, b) => a + b)).toBe(COUNT + 3);
});

test("no host at all: what is stored loads", async () => {
  await tab.load();
  host.requests.length = 0;
  host.fail(/models\//, faults.gone);
  expect((await tab.load()).error).toBe("");
  expect(asked()).toEqual([0, 0, 0, 0]);
});

test("another version on the host: only what changed is fetched, and the old one goes", async () => {
  await tab.load();
  const old = parts;
  parts = old.with(0, Buffer.from(old[0]));
  parts[0][40_000] ^= 1; // a weight
  try {
    publish();
    expect((await tab.load()).error).toBe("");
    expect(asked()).toEqual([2, 1, 1, 1]);
    expect((await tab.stored()).parts.sort()).toEqual(parts.map(sha256).sort());
  } finally {
    parts = old;
  }
});

test("a quota of 10 MB, nearly full: what fits is kept, the rest runs from memory", async () => {
  const { page } = tab;
  await page.evaluate(async () => {
    const other = await caches.open("other");
    await other.put("/other", new Response(new Uint8Array(7_000_000)));
  });
  const cdp = await page.context().newCDPSession(page);
  const origin = new URL(host.url).origin;
  await cdp.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 10_000_000 });
  try {
    const { error, progress } = await tab.load();
    expect([error, progress.at(-1)?.note]).toEqual(["", expect.stringContaining("no room")]);
    expect(asked()).toEqual([1, 1, 1, 1]);
    const kept = (await tab.stored()).parts.length;
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(COUNT);
    await tab.load();
    expect(asked().reduce((a, b) => a + b)).toBe(COUNT + COUNT - kept);
  } finally {
    await cdp.send("Storage.overrideQuotaForOrigin", { origin });
  }
});

test("two tabs: each part comes once", async () => {
  const other = await createEnginePage(await tab.page.context().newPage(), host.url, model);
  const loads = await Promise.all([tab.load(), other.load()]);
  expect(loads.map((l) => l.error)).toEqual(["", ""]);
  expect(asked()).toEqual([1, 1, 1, 1]);
  await other.page.close();
});

test("a tab closed in the middle: the next one goes on where it was", async () => {
  const other = await createEnginePage(await tab.page.context().newPage(), host.url, model);
  host.fail(/part-003/, piecemeal(10).fault);
  other.load().catch(() => {}); // the page goes
  await expect.poll(async () => (await tab.stored()).parts.length).toBe(3);
  await other.page.close();
  host.mend();
  expect((await tab.load()).error).toBe("");
  expect(asked()).toEqual([1, 1, 1, 2]);
});

/** How a part may come, coded, without a word on it. */
const codings = {
  "brotli without its header": (/** @type {Buffer} */ b) => b,
  "compressed twice": (/** @type {Buffer} */ b) => brotli(b),
  "gzip instead": (/** @type {Buffer} */ b) => gzipSync(brotliDecompressSync(b)),
  "gzip over brotli": (/** @type {Buffer} */ b) => gzipSync(b),
  "not compressed": (/** @type {Buffer} */ b) => brotliDecompressSync(b),
};

test("any coding is taken off", async () => {
  for (const [name, code] of Object.entries(codings)) {
    await tab.clear();
    host.mend();
    host.requests.length = 0;
    host.fail(/part-/, instead(code));
    expect([name, (await tab.load()).error]).toEqual([name, ""]);
    expect(asked()).toEqual([1, 1, 1, 1]);
    expect((await tab.stored()).parts.length).toBe(COUNT);
  }
});

/** Hosts whose pages can store nothing. 0.0.0.0 reaches this machine, and is no secure context. */
const withoutStore = {
  "no secure context": () => new URL(host.url.replace("127.0.0.1", "0.0.0.0")),
  "no Cache API": () => new URL(host.url),
};

for (const [name, site] of Object.entries(withoutStore)) {
  test(`${name}: runs from memory, says so, and the next frame has the browser's own copy`, async ({
    browser,
  }) => {
    host.fail(/part-002/, faults.corrupt, 1); // a copy of which is of no use
    if (name === "no Cache API") {
      host.fail(/\/worker\.js/, (answer, { headers, body }) => {
        const script = headers["content-encoding"] ? brotliDecompressSync(body) : body;
        answer.writeHead(200, { "content-type": "text/javascript" });
        answer.end(`Object.defineProperty(globalThis, "caches", {});\n${script}`);
      });
    }
    const context = await browser.newContext();
    try {
      const folder = new URL(path(""), site()).href;
      const page = await createEnginePage(await context.newPage(), site().href, folder);
      expect(await page.page.evaluate(() => isSecureContext)).toBe(name === "no Cache API");
      const { error, progress } = await page.load();
      expect([error, progress.at(-1)?.note]).toEqual(["", expect.stringContaining("can't store")]);
      expect(asked()).toEqual([1, 1, 2, 1]);
      const frame = await createEnginePage(await context.newPage(), site().href, folder);
      expect((await frame.load()).error).toBe("");
      expect(asked()).toEqual([1, 1, 2, 1]);
    } finally {
      await context.close();
    }
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "./engine.js";

/** A worker that only remembers what it was sent. */
class Silent {
  /** @type {any[]} */
  sent = [];
  ended = false;
  onmessage = (/** @type {any} */ _e) => {};
  onerror = (/** @type {any} */ _e) => {};
  onmessageerror = () => {};
  /** @param {any} message @param {Transferable[]} transfer */
  postMessage(message, transfer) {
    this.sent.push(structuredClone(message, { transfer }));
  }
  terminate() {
    this.ended = true;
  }
  answer(/** @type {object} */ data) {
    this.onmessage({ data });
  }
}

/** @param {() => Promise<any>} [compile] */
function start(compile = () => new Promise(() => {})) {
  /** @type {Silent[]} */
  const workers = [];
  const create = () => {
    workers.push(new Silent());
    return /** @type {any} */ (workers.at(-1));
  };
  return { engine: createEngine({ create, compile }), workers };
}

test("answers go to their calls, in any order", async () => {
  const { engine, workers } = start();
  const calls = [engine.call("status", { session: 1 }), engine.call("status", { session: 2 })];
  const [first, second] = workers[0].sent.map((m) => m.id);
  workers[0].answer({ id: second, result: "second" });
  workers[0].answer({ id: first, error: { code: "unknown", message: "session 1: not open" } });
  await assert.rejects(calls[0], {
    name: "EngineError",
    code: "unknown",
    message: "session 1: not open",
  });
  assert.equal(await calls[1], "second");
});

test("bytes of a call stay the page's, a buffer for the answer goes", () => {
  const { engine, workers } = start();
  const [bytes, into] = [new Uint8Array(3), new ArrayBuffer(8)];
  engine.call("modelPart", /** @type {any} */ ({}), bytes).catch(() => {});
  engine.call("logits", { sessions: [1] }, undefined, into).catch(() => {});
  const [part, logits] = workers[0].sent;
  assert.deepEqual([part.bytes.length, part.into], [3, undefined]);
  assert.equal(logits.into.byteLength, 8);
  assert.deepEqual([bytes.length, into.byteLength], [3, 0]);
});

test("a crash rejects what waits, tells listeners, and restart goes on", async () => {
  const { engine, workers } = start();
  /** @type {string[]} */
  const seen = [];
  engine.on("crash", (error) => seen.push(error.code));
  const off = engine.on("ready", () => seen.push("ready"));
  const waiting = engine.call("describe", {});
  workers[0].answer({ event: "ready" });
  workers[0].answer({ event: "crash", error: { code: "crash", message: "out of memory" } });
  await assert.rejects(waiting, { code: "crash", message: "out of memory" });
  await assert.rejects(engine.call("describe", {}), { code: "crash", message: "out of memory" });
  assert.ok(workers[0].ended);

  off();
  engine.restart();
  const again = engine.call("describe", {});
  workers[0].answer({ event: "crash", error: { code: "crash", message: "too late" } });
  workers[1].answer({ event: "ready" });
  workers[1].answer({ id: workers[1].sent[0].id, result: "alive" });
  assert.equal(await again, "alive");
  assert.deepEqual(seen, ["ready", "crash"]);
});

test("a worker that can't start is a crash", async () => {
  const { engine, workers } = start();
  const waiting = engine.call("describe", {});
  workers[0].onerror({ message: "" });
  await assert.rejects(waiting, { code: "crash", message: /could not be started/ });
});

test("the program is compiled once, and each worker gets it", async () => {
  let compiled = 0;
  const { engine, workers } = start(async () => `program ${++compiled}`);
  engine.restart();
  await Promise.resolve();
  assert.deepEqual(
    workers.map((w) => w.sent),
    [[{ program: "program 1" }], [{ program: "program 1" }]],
  );
});

test("a program that can't be compiled is a crash, and restart tries again", async () => {
  let tries = 0;
  const { engine, workers } = start(async () => {
    if (!tries++) throw new Error("/engine.wasm: the host answered 503");
    return "program";
  });
  await assert.rejects(engine.call("describe", {}), { code: "crash", message: /503/ });
  engine.restart();
  const again = engine.call("describe", {});
  await Promise.resolve();
  const [call, program] = workers[1].sent;
  assert.deepEqual(program, { program: "program" });
  workers[1].answer({ id: call.id, result: "alive" });
  assert.equal(await again, "alive");
});

test("restart and close reject what waits", async () => {
  const { engine, workers } = start();
  const first = engine.call("describe", {});
  engine.restart();
  await assert.rejects(first, { code: "crash" });
  const second = engine.call("describe", {});
  engine.close();
  await assert.rejects(second, { code: "crash", message: /closed/ });
  await assert.rejects(engine.call("describe", {}), { code: "crash", message: /closed/ });
  assert.ok(workers.every((w) => w.ended));
});

test("a load reports progress and can be cancelled", async () => {
  const { engine, workers } = start();
  /** @type {any} */ (globalThis).location = { href: "https://host.test/page/" };
  const controller = new AbortController();
  /** @type {number[]} */
  const loaded = [];
  const loading = engine.loadModel("models/small", {
    onProgress: (p) => loaded.push(p.loaded),
    signal: controller.signal,
  });
  const [{ id, method, params }] = workers[0].sent;
  assert.deepEqual([method, params], ["load", { url: "https://host.test/page/models/small" }]);
  workers[0].answer({ event: "progress", id, loaded: 5 });
  controller.abort();
  assert.deepEqual(workers[0].sent[1], { cancel: id });
  workers[0].answer({ id, error: { code: "cancelled", message: "cancelled" } });
  await assert.rejects(loading, { code: "cancelled" });
  assert.deepEqual(loaded, [5]);

  await assert.rejects(engine.loadModel("x", { signal: AbortSignal.abort() }), {
    code: "cancelled",
  });
});

test("a model that comes after its load was cancelled is closed", async () => {
  const { engine, workers } = start();
  /** @type {any} */ (globalThis).location = { href: "https://host.test/page/" };
  const controller = new AbortController();
  const loading = engine.loadModel("models/small", { signal: controller.signal });
  const [{ id }] = workers[0].sent;
  controller.abort();
  workers[0].answer({ id, result: { model: 3 } });
  await assert.rejects(loading, { code: "cancelled" });
  const { method, params } = workers[0].sent.at(-1);
  assert.deepEqual([method, params], ["modelClose", { model: 3 }]);
});

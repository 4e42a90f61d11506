import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { createProgress, paceOf } from "./progress.js";

const parts = /** @type {import("./api.d.ts").Part[]} */ ([{ bytes: 1000 }, { bytes: 1000 }]);
/** @type {import("./engine.js").Progress[]} */
let told;
/** @type {ReturnType<typeof createProgress>} */
let progress;

let now = 0;
mock.timers.enable({ apis: ["setTimeout"] });
mock.method(performance, "now", () => now);
/** @param {number} ms */
function pass(ms) {
  now += ms;
  mock.timers.tick(ms);
}

beforeEach(() => {
  told = [];
  progress = createProgress(parts, new Set(), () => "", (p) => void told.push(p)); // biome-ignore format: one line
});

test("a host that stalls after its first chunk: the chunk is told at once", () => {
  progress.of(0).came(100, 0.1);
  assert.deepEqual([told.length, told[0].loaded, told[0].wire], [1, 100, 100]);
});

test("what comes too soon after a message is told a little later, in one", () => {
  const part = progress.of(0);
  part.came(100, 0.1);
  part.came(100, 0.2);
  part.came(100, 0.3);
  assert.equal(told.length, 1);
  pass(60);
  assert.deepEqual([told.length, told[1].loaded, told[1].wire], [2, 300, 300]);
  pass(1000);
  assert.equal(told.length, 2);
});

test("nothing is told after the end", () => {
  progress.of(0).came(100, 0.1);
  progress.of(0).came(100, 0.2);
  progress.stop();
  pass(1000);
  assert.equal(told.length, 1);
  progress.of(0).done();
  progress.of(1).done();
  progress.finish();
  pass(10_000);
  assert.deepEqual([told.at(-1)?.loaded, told.at(-1)?.part], [2000, 2]);
  assert.equal(told.length, 3);
});

test("1 kB/s: bytes, rate and time left", () => {
  for (let i = 1; i <= 10; i++) {
    pass(100);
    progress.of(1).came(100, i / 10);
  }
  pass(100);
  assert.ok(told.every((p, i) => i === 0 || p.loaded > told[i - 1].loaded));
  const { loaded, rate, left } = told[told.length - 1];
  assert.deepEqual([loaded, rate], [990, 1000]); // a part is whole when it is in place
  assert.ok(Math.abs(left - 1010 / 990) < 0.001, `${left} s`);
});

test("a part from the store is no speed of the line", () => {
  progress.of(0).share(1);
  for (let i = 1; i <= 10; i++) {
    pass(200);
    progress.of(1).came(10, i / 100);
  }
  const { loaded, rate, left } = told[told.length - 1];
  assert.deepEqual([loaded, rate, left], [1090, 50, 18.2]); // 910 bytes at 50 a second
});

test("a stored part that was wrong comes over the line, and counts", () => {
  progress.of(0).share(1);
  pass(1000);
  progress.of(0).came(100, 0.1);
  progress.of(0).came(100, 0.2);
  pass(1000);
  const { rate, left } = told[told.length - 1];
  assert.ok(rate > 0 && left > 0, `${rate} bytes a second, ${left} s left`);
});

test("a line that stands still: after five seconds no time left is told, once", () => {
  for (let i = 1; i <= 4; i++) {
    pass(500);
    progress.of(0).came(100, i / 10);
  }
  assert.ok(told[told.length - 1].left > 0);
  for (let i = 0; i < 60; i++) pass(100);
  const { length } = told;
  const { loaded, rate, left } = told[length - 1];
  assert.deepEqual([loaded, rate, left], [400, 0, -1]);
  pass(60_000);
  assert.equal(told.length, length);
});

test("a line that would take days: no time left is told", () => {
  const sample = { loaded: 0, local: 0, wire: 0 };
  const to = { time: 5000, loaded: 100, local: 0, wire: 100 };
  const hours = 3600 * 20; // bytes
  assert.equal(paceOf([{ ...sample, time: 0 }, to], 5 * hours + 100).left, 5 * 3600);
  assert.equal(paceOf([{ ...sample, time: 0 }, to], 7 * hours + 100).left, -1);
});

test("the pace is known after a second, and not without any byte", () => {
  const at = (/** @type {number} */ time, /** @type {number} */ n) => ({
    time,
    loaded: n,
    local: 0,
    wire: n,
  });
  assert.deepEqual(paceOf([at(0, 0), at(900, 50)], 100), { rate: -1, left: -1 });
  assert.deepEqual(paceOf([at(0, 50), at(2000, 50)], 100), { rate: 0, left: -1 });
  assert.deepEqual(paceOf([at(0, 0), at(2000, 50)], 100), { rate: 25, left: 2 });
  const stored = { ...at(2000, 50), local: 50, wire: 0 };
  assert.deepEqual(paceOf([at(0, 0), stored], 100), { rate: -1, left: -1 }); // no line is in use
});

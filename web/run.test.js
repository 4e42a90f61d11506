import assert from "node:assert/strict";
import test from "node:test";
import { createRun } from "./run.js";

test("a run that is begun while one before it waits for its step takes its place", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  /** @type {((more: boolean) => void)[]} */
  const steps = [];
  const run = createRun({
    step: () => new Promise((resolve) => steps.push(resolve)),
    onChange() {},
    onError: assert.ifError,
  });
  const first = run.start(20);
  run.stop();
  const second = run.start(2);
  assert.equal(steps.length, 2, "steps asked for");
  for (const resolve of steps) resolve(true);
  t.mock.timers.tick(1000);
  await first;
  assert.ok(run.running, "the end of the first is not that of the second");
  assert.equal(steps.length, 3, "only the second asks for one more");
  steps[2](true);
  t.mock.timers.tick(1000);
  await second;
  assert.ok(!run.running);
  assert.equal(steps.length, 3);
});

import assert from "node:assert/strict";
import test from "node:test";
import { createBranches } from "./branches.js";

/** An engine that gives each call a session of its own, with no text. */
function fakeEngine() {
  let session = 0;
  const status = () => ({ session: ++session, text: [], steps: 0, stop: "" });
  const call = async (/** @type {string} */ method, /** @type {any} */ params) =>
    method === "feed"
      ? { done: 1, total: 1 }
      : method === "rewind"
        ? { ...status(), session: params.session }
        : status();
  return /** @type {any} */ ({ call });
}

test("every branch has a name of its own, also beyond the alphabet", async () => {
  const branches = createBranches(fakeEngine(), { onChange() {}, onReading() {} });
  await branches.open(1, [5], /** @type {any} */ ({}));
  for (let n = 0; n < 29; n++) await branches.fork(0);
  const names = branches.list.map((b) => b.name);
  assert.deepEqual(names.slice(24), ["Y", "Z", "A2", "B2", "C2", "D2"]);
  assert.equal(new Set(names).size, 30);
  branches.remove(2);
  await branches.fork(0);
  assert.equal(branches.list.at(-1)?.name, "C", "a letter that is free again comes first");
});

test("what was drawn once is not kept as taken by hand", async () => {
  // An engine that draws 7 and takes what it is told.
  /** @type {{id: number, forced: boolean}[]} */
  let text = [];
  const status = () => ({ session: 1, text: [...text], steps: text.length, stop: "" });
  const call = async (/** @type {string} */ method, /** @type {any} */ params) => {
    if (method === "feed") return { done: 1, total: 1 };
    if (method === "step") text.push({ id: 7, forced: false });
    if (method === "force") text.push({ id: params.id, forced: true });
    if (method === "rewind") text = text.slice(0, params.steps);
    return method === "step" ? { sessions: [status()] } : status();
  };
  const engine = /** @type {any} */ ({ call });
  const branches = createBranches(engine, { onChange() {}, onReading() {} });
  await branches.open(1, [5], /** @type {any} */ ({}));
  /** @type {[number, boolean][]} */
  const tokens = [
    [7, false],
    [8, false],
    [9, true],
  ];
  await branches.restore([{ name: "A", tokens }], 0);
  assert.deepEqual(branches.toKeep().branches[0].tokens, tokens);
  await branches.force(8, 1);
  assert.deepEqual(branches.toKeep().branches[0].tokens, [
    [7, false],
    [8, true],
  ]);
});

test("a fork that comes back after another prompt was opened is closed", async () => {
  const engine = fakeEngine();
  const closed = /** @type {number[]} */ ([]);
  let release = () => {};
  const call = async (/** @type {string} */ method, /** @type {any} */ params) => {
    if (method === "close") closed.push(params.session);
    const answer = await engine.call(/** @type {any} */ (method), params);
    if (method === "fork") await new Promise((resolve) => (release = () => resolve(null)));
    return answer;
  };
  const branches = createBranches(/** @type {any} */ ({ call }), { onChange() {}, onReading() {} });
  await branches.open(1, [5], /** @type {any} */ ({}));
  const forking = branches.fork(0);
  await branches.open(1, [6], /** @type {any} */ ({}));
  const fresh = branches.list[0].status.session;
  release();
  await forking;
  assert.deepEqual(
    branches.list.map((b) => b.status.session),
    [fresh],
    "branches of the new prompt",
  );
  assert.equal(closed.length, 2, "the first prompt's session, and the fork");
});

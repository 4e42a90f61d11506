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

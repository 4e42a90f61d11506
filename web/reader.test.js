import assert from "node:assert/strict";
import test from "node:test";
import { readPrompt } from "./reader.js";

test("a session whose prompt can't be read is closed", async () => {
  /** @type {string[]} */
  const calls = [];
  const call = async (/** @type {string} */ method, /** @type {any} */ params) => {
    calls.push(`${method} ${params.session ?? ""}`);
    if (method === "feed") throw new Error("no room");
    return { session: 7 };
  };
  const open = /** @type {any} */ ({ model: 1, ids: [5], settings: {} });
  await assert.rejects(readPrompt(/** @type {any} */ ({ call }), open), { message: "no room" });
  assert.deepEqual(calls, ["open ", "feed 7", "close 7"]);
});

import assert from "node:assert/strict";
import test from "node:test";
import { ties } from "./rows.js";

test("a top-k ties where it leaves more than k, and leaves all where k is 0", () => {
  const row = (/** @type {number} */ amount) =>
    /** @type {import("./rows.js").Row} */ ({ kind: "top_k", on: true, count: 5, amount });
  assert.deepEqual([ties(row(4)), ties(row(5)), ties(row(0))], [true, false, false]);
});

import assert from "node:assert/strict";
import test from "node:test";
import { sum } from "./format.js";
import { asOfStep } from "./tree.js";

/** @typedef {import("./api.d.ts").Node} Node */

/** Three beams over two steps; of two texts that step 1 kept nothing stays, and only
 * one of them has continuations that were noted. The end of the search drops one that
 * step 2 kept.
 * @type {[parent: number, step: number, place: number, state: string, kept: boolean][]} */
const LINES = [
  [-1, 0, 0, "live", true],
  [0, 1, 1, "live", true],
  [0, 1, 2, "pruned", true],
  [0, 1, 3, "pruned", true],
  [0, 1, 4, "pruned", false],
  [1, 2, 1, "live", true],
  [1, 2, 2, "done", false],
  [1, 2, 3, "pruned", true],
  [2, 2, 4, "pruned", false],
];
const nodes = /** @type {Node[]} */ (
  /** @type {unknown} */ (
    LINES.map(([parent, step, place, state, kept]) => ({ parent, step, place, state, kept }))
  )
);

test("what a step kept is shown as kept there, with or without continuations", () => {
  assert.deepEqual(
    asOfStep(nodes).map((n) => n.state),
    ["live", "live", "live", "live", "pruned", "live", "done", "live", "pruned"],
  );
});

test("a sum is only said to be equal where it reads so", () => {
  assert.equal(sum([-0.301, -1.706], -2.007), "−0.301  −1.706 = −2.007");
  assert.equal(sum([-0.3014, -1.7063], -2.0077), "−0.301  −1.706 ≈ −2.008");
  assert.equal(sum([-0.0001, -1], -1.0001), "0.000  −1.000 = −1.000");
});

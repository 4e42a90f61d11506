import assert from "node:assert/strict";
import test from "node:test";
import { rivalsAt, runners } from "./rivals.js";

/** @typedef {import("./api.d.ts").Node} Node */

/**
 * A search with two beams over three steps: the top token of step 1 leads there
 * and loses at step 3.
 *
 * @type {[parent: number, step: number, id: number, score: number, place: number, state: string, chained?: boolean][]}
 */
const LINES = [
  [-1, 0, -1, 0, 0, "live", true],
  [0, 1, 10, -1, 1, "live"],
  [0, 1, 20, -1.5, 2, "live", true],
  [0, 1, 30, -4, 3, "pruned"],
  [1, 2, 11, -2, 1, "live"],
  [2, 2, 21, -2.1, 2, "live", true],
  [1, 2, 12, -5, 3, "pruned"],
  [5, 3, 22, -2.4, 1, "live", true],
  [4, 3, 13, -3, 2, "done"],
  [5, 3, 23, -3.3, 3, "live"],
];
/** @type {Node[]} */
const nodes = LINES.map(([parent, step, id, score, place, state, chained = false]) => ({
  ...{ parent, step, id, score, place, state, chained, kept: state === "live" },
  ...{ text: "", hex: "", prob: 0.1, final: state === "done" ? score / step : 0, reason: "" },
}));

test("the top token's text led at the step, and has fallen behind", () => {
  const found = rivalsAt(nodes, { step: 1, top: 10, penalty: 1 });
  assert.equal(found?.own.id, 20);
  assert.equal(found?.other.id, 10);
  assert.deepEqual([found?.now, found?.otherNow], [-2.4 / 3, -1]);
});

test("the token is the top one: the best of the rest stands beside it", () => {
  const found = rivalsAt(nodes, { step: 3, top: 22, penalty: 0 });
  assert.equal(found?.own.id, 22);
  assert.equal(found?.other.id, 13);
});

test("of a text that was cut nothing is left", () => {
  const found = rivalsAt(nodes, { step: 1, top: 30, penalty: 1 });
  assert.equal(found?.other.id, 30);
  assert.equal(found?.otherNow, null);
});

test("a step that was not taken has no rivals, and one candidate has none", () => {
  assert.equal(rivalsAt(nodes, { step: 4, top: 1, penalty: 1 }), null);
  assert.equal(rivalsAt(nodes.slice(0, 1), { step: 1, top: 1, penalty: 1 }), null);
  const alone = [nodes[0], { ...nodes[2], place: 1 }];
  assert.equal(rivalsAt(alone, { step: 1, top: 1, penalty: 1 }), null);
});

test("those that go on are ranked, the best first", () => {
  assert.deepEqual(runners(nodes, 1), [7, 9]);
  assert.deepEqual(runners(nodes.slice(0, 1), 1), []);
});

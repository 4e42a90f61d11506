import assert from "node:assert/strict";
import { test } from "node:test";
import { holds, tell, variablesOf } from "./check.js";

/** @type {Record<string, any>} */
const state = { n: 3, p: 0.5, word: "Paris", on: true, gone: null };
const get = (/** @type {{var: string}} */ v) => state[v.var];

/** @type {[string, string, unknown, boolean, number?][]} variable, operator, value, expected, tolerance */
const TABLE = [
  ["n", "==", 3, true],
  ["n", "==", 3.0000001, true],
  ["n", "==", 3.1, false],
  ["n", "==", 3.1, true, 0.2],
  ["n", "==", "3", false],
  ["n", "!=", 3, false],
  ["n", "!=", 4, true],
  ["n", "<", 3, false],
  ["n", "<=", 3, true],
  ["n", ">", 2.9, true],
  ["n", ">=", 3.1, false],
  ["n", "in", [1, 2, 3], true],
  ["n", "in", [], false],
  ["n", "in", 3, false],
  ["word", "==", "Paris", true],
  ["word", "==", "paris", false],
  ["word", "<", "Rome", false],
  ["word", "contains", "ari", true],
  ["word", "contains", "", true],
  ["word", "in", ["Rome", "Paris"], true],
  ["n", "contains", "3", false],
  ["on", "==", true, true],
  ["on", "==", 1, false],
  ["gone", "==", 0, false],
  ["gone", "!=", 0, true],
  ["gone", "<", 1, false],
  ["missing", "==", 0, false],
  ["missing", "!=", 0, false],
  ["missing", "in", [0], false],
  ["n", "toString", 3, false],
  ["n", "constructor", 3, false],
];

for (const [name, op, value, expected, tolerance] of TABLE)
  test(`${name} ${op} ${JSON.stringify(value)} is ${expected}`, () => {
    const comparison = /** @type {any} */ ({ var: name, op, value, tolerance });
    if (tolerance === undefined) delete comparison.tolerance;
    assert.equal(holds(comparison, get), expected);
  });

test("all, any and not join, and a reference is read like a value", () => {
  const yes = { var: "n", op: "==", value: 3 };
  const no = { var: "n", op: "==", value: 4 };
  assert.equal(holds({ all: [yes, yes] }, get), true);
  assert.equal(holds({ all: [yes, no] }, get), false);
  assert.equal(holds({ any: [no, yes] }, get), true);
  assert.equal(holds({ any: [no, no] }, get), false);
  assert.equal(holds({ not: no }, get), true);
  assert.equal(holds({ all: [{ not: { any: [no, { all: [yes, no] }] } }, yes] }, get), true);
  assert.equal(holds({ var: "p", op: "<", ref: { var: "n" } }, get), true);
  assert.equal(holds({ var: "p", op: "<", ref: { var: "missing" } }, get), false);
});

test("what is told names the value found and the value wanted", () => {
  const told = tell({ all: [{ var: "p", op: "<", ref: { var: "n" } }] }, get);
  assert.ok("parts" in told);
  const [leaf] = told.parts;
  assert.ok("comparison" in leaf);
  assert.deepEqual([leaf.now, leaf.want, leaf.met], [0.5, 3, true]);
});

test("the variables of a predicate are all those it reads", () => {
  const predicate = {
    any: [{ not: { var: "a", op: "==", value: 1 } }, { var: "b", op: "<", ref: { var: "c" } }],
  };
  assert.deepEqual(
    variablesOf(predicate).map((v) => v.var),
    ["a", "b", "c"],
  );
});

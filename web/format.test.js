import assert from "node:assert/strict";
import { test } from "node:test";
import { fixed, pct } from "./format.js";

/** @param {number} share @param {number} [digits] */
const plain = (share, digits) => pct(share, digits).replace(/[\u2066-\u2069]/g, "");

test("only nothing reads as 0 %, and only all of it as 100 %", () => {
  assert.equal(plain(0), "0.0\u00a0%");
  assert.equal(plain(0.0004), "<0.1\u00a0%");
  assert.equal(plain(0.0005), "0.1\u00a0%");
  assert.equal(plain(0.9994), "99.9\u00a0%");
  assert.equal(plain(0.9998), ">99.9\u00a0%");
  assert.equal(plain(0.99998, 2), ">99.99\u00a0%");
  assert.equal(plain(1), "100.0\u00a0%");
  assert.equal(plain(1 - 1e-9), "100.0\u00a0%", "a sum that rounding left a little short");
});

test("nothing has no sign", () => {
  assert.equal(fixed(-0, 1), "0.0");
  assert.equal(fixed(-0.04, 1), "0.0");
  assert.equal(fixed(-0.06, 1), "\u22120.1");
});

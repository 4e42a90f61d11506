import assert from "node:assert/strict";
import test from "node:test";
import { mergeTexts } from "./merge.js";
import { axisEnd, throwRows } from "./throws.js";

/** @param {number} id @param {string} [text] */
const piece = (id, text = `t${id}`) => ({ id, text, hex: "" });

/** @type {import("./api.d.ts").Draws} */
const draws = {
  count: 100,
  tokens: [piece(1), piece(2), piece(3)],
  expected: [0.5, 0.3, 0.15],
  hits: [61, 30, 5],
  otherTokens: 4,
  otherExpected: 0.05,
  otherHits: 4,
  dice: new Float32Array(0),
};

test("a row lies outside when its share is more than 1.96 standard errors off", () => {
  const rows = throwRows(draws, 14);
  assert.deepEqual(
    rows.map((r) => r.outside),
    [true, false, true, false],
  );
  assert.ok(Math.abs(rows[0].error - 0.098) < 1e-3);
  assert.equal(rows[0].low.toFixed(3), "0.402");
  const more = throwRows({ ...draws, count: 10000, hits: [5000, 3000, 1500], otherHits: 500 }, 14);
  assert.ok(Math.abs(more[0].error * 10 - rows[0].error) < 1e-12, "a hundred times more throws");
});

test("tokens past the last row are one row", () => {
  const rows = throwRows(draws, 1);
  assert.equal(rows.length, 2);
  assert.deepEqual([rows[1].token, rows[1].many, rows[1].hits], [null, 6, 39]);
  assert.ok(Math.abs(rows[1].expected - 0.5) < 1e-12);
  assert.equal(rows[0].hits + rows[1].hits, draws.count);
});

test("a sure token is inside, and nothing is NaN", () => {
  const sure = { ...draws, tokens: [piece(1)], expected: [1], hits: [100], otherTokens: 0 };
  const [row] = throwRows(sure, 14);
  assert.deepEqual([row.outside, row.low, row.high], [false, 1, 1]);
  assert.equal(axisEnd([row]), 1);
});

test("the axis holds the whiskers", () => {
  for (const count of [1, 10, 100, 1000]) {
    const rows = throwRows({ ...draws, count, hits: [0, 0, 0], otherHits: 0 }, 14);
    for (const r of rows) assert.ok(r.high <= axisEnd(rows));
  }
});

test("texts that begin alike share a node", () => {
  const [a, b, c] = [piece(1), piece(2), piece(3)];
  const { tiers, texts } = mergeTexts([[a, b], [a, c], [b], [a, b], [a]]);
  assert.deepEqual(
    tiers.map((tier) => tier.map(({ key, count, at }) => [key, count, Number(at.toFixed(6))])),
    [
      [
        ["1", 4, 0],
        ["2", 1, 0.8],
      ],
      [
        ["1.2", 2, 0],
        ["1.3", 1, 0.4],
      ],
    ],
  );
  assert.deepEqual(
    texts.map((t) => [t.key, t.count]),
    [
      ["1.2", 2],
      ["1.3", 1],
      ["2", 1],
      ["1", 1],
    ],
  );
});

test("children fill no more than their parent", () => {
  const texts = Array.from({ length: 60 }, (_, i) => [piece(i % 2), piece(i % 3), piece(i % 5)]);
  const { tiers } = mergeTexts(texts);
  for (const [depth, tier] of tiers.entries()) {
    const sum = tier.reduce((s, b) => s + b.count, 0);
    assert.equal(sum, 60, `tier ${depth}`);
    for (const branch of tier) {
      const parent = tiers[depth - 1]?.find((p) => branch.key.startsWith(`${p.key}.`));
      if (!parent) continue;
      assert.ok(branch.at >= parent.at - 1e-12);
      assert.ok(branch.at + branch.share <= parent.at + parent.share + 1e-12);
    }
  }
});

test("no text makes no tree", () => {
  assert.deepEqual(mergeTexts([]), { tiers: [], texts: [] });
  assert.deepEqual(mergeTexts([[]]).tiers, []);
});

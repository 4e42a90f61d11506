import assert from "node:assert/strict";
import test from "node:test";
import { comparisonHTML, comparisonJSON } from "./report.js";
import { stepCSV, stepJSON } from "./stepfile.js";

const HOSTILE = `</script><img src=x onerror=alert(1)>"'&\`\u0000`;

/** @returns {import("../api.d.ts").View} */
const view = () =>
  /** @type {any} */ ({
    step: 0,
    stages: [{ kind: "model" }, { kind: "top_k" }],
    tokens: [
      { id: 5, text: " =1+1", hex: "" },
      { id: 6, text: 'a,"b"\n', hex: "" },
      { id: 7, text: "", hex: "F0 9F" },
    ],
    bars: [1, 0, 2],
    removed: new Int32Array([-1, -1, 1]),
    rank: new Int32Array([2, 1, 3]),
    logits: new Float32Array([1, 2, 0.5]),
    scores: new Float32Array([1, 2, Number.NEGATIVE_INFINITY]),
    probs: new Float32Array([0.25, 0.5, 0.25, 0.375, 0.625, 0]),
    numbers: { kept_count: 2 },
    draw: { thrown: true, die: 0.5, low: 0, high: 0.625, token: 1, top: 1, topEnd: 0.625 },
  });

/** Reads a line of CSV as RFC 4180 has it. @param {string} text */
function parseCSV(text) {
  /** @type {string[][]} */
  const rows = [[]];
  for (const m of text.matchAll(/("((?:[^"]|"")*)"|[^,\r\n]*)(,|\r\n)/g)) {
    rows[rows.length - 1].push(m[2] === undefined ? m[1] : m[2].replaceAll('""', '"'));
    if (m[3] !== ",") rows.push([]);
  }
  return rows.slice(0, -1);
}

test("the table has a row a token, by rank, and no cell is a formula", () => {
  const [head, ...rows] = parseCSV(stepCSV(view()));
  assert.equal(head.length, 9);
  assert.deepEqual(
    rows.map((r) => [r[0], r[1], r[8]]),
    [
      ["1", "6", ""],
      ["2", "5", ""],
      ["3", "7", "top_k"],
    ],
  );
  assert.equal(JSON.parse(rows[0][2]), 'a,"b"\n');
  assert.equal(rows[2][5], "", "a removed token has no score");
  for (const row of rows) for (const cell of row) assert.doesNotMatch(cell, /^[=+@\t\r]/);
});

test("the JSON has null where the score is -Infinity", () => {
  const about = {
    link: "https://example.edu/#x",
    model: { id: "m", name: "M", hash: "00" },
    prompt: HOSTILE,
    settings: /** @type {any} */ ({}),
  };
  const got = JSON.parse(stepJSON(view(), about));
  assert.equal(got.prompt, HOSTILE);
  assert.equal(got.tokens[2].score, null);
  assert.equal(got.draw.token.id, 6);
});

/** @returns {import("./report.js").Comparison} */
const comparison = () => ({
  link: `https://example.edu/#${HOSTILE}`,
  model: { id: HOSTILE, name: HOSTILE, hash: HOSTILE },
  prompt: HOSTILE,
  seed: 21,
  panes: [HOSTILE, "B"].map((name, i) => ({
    letter: "AB"[i],
    name,
    tags: [HOSTILE],
    settings: /** @type {any} */ ({ stop: [HOSTILE] }),
    stop: HOSTILE,
    text: Array.from(
      { length: 3 },
      (_, n) =>
        /** @type {any} */ ({
          id: n,
          text: HOSTILE,
          hex: "",
          entropy: n,
          nucleus: 695 * n,
          surprise: n,
        }),
    ),
    metrics: i ? null : /** @type {any} */ ({ tokens: 3, mean_logprob: -1.25 }),
  })),
});

/** @type {import("./report.js").Words} */
const words = {
  language: "en",
  direction: "ltr",
  title: HOSTILE,
  prompt: "Prompt",
  seed: "Seed",
  model: "Model",
  link: "Link",
  metrics: "Metrics",
  entropy: HOSTILE,
  nucleus: "n",
  surprise: "s",
  columns: [
    ["tokens", HOSTILE, 0],
    ["mean_logprob", "l", 2],
  ],
};

test("nothing in the report is markup but its own", () => {
  const text = comparisonHTML(comparison(), words);
  const tags = new Set([...text.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map((m) => m[1]));
  const own =
    "html head meta title style body h1 h2 dl dt dd section p span figure svg line text polyline figcaption table thead tbody tr th td";
  for (const tag of tags) assert.ok(own.split(" ").includes(tag), tag);
  assert.doesNotMatch(text.replace(/"[^"]*"/g, ""), /<[^>]*\son\w+=/i);
  assert.match(text, /default-src 'none'/);
  assert.ok(!text.includes("onerror=alert(1)>"));
  assert.doesNotMatch(text, /NaN|undefined|\de\+/);
  assert.match(text, /<text [^>]*>1,390<.*<td>\u22121\.25</s);
});

test("the comparison as JSON is what it was", () => {
  const got = JSON.parse(comparisonJSON(comparison()));
  assert.equal(got.panes.length, 2);
  assert.equal(got.panes[0].text[2].text, HOSTILE);
  assert.equal(got.version, 1);
});

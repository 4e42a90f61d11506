/** One step as a table (CSV) and as JSON. */

import { shareAt } from "../rows.js";

/**
 * @typedef {import("../api.d.ts").View} View
 *
 * @typedef {object} Line one token, in the order of the model's own rank
 * @property {number} rank
 * @property {number} id
 * @property {string} token empty where the bytes are no whole text
 * @property {string} hex its bytes then
 * @property {number} logit
 * @property {number | null} score after the pipeline; null: removed
 * @property {number} model_prob
 * @property {number} prob after the pipeline
 * @property {string} removed_by the stage, or empty
 *
 * @typedef {object} About
 * @property {string} link
 * @property {{id: string, name: string, hash: string}} model
 * @property {string} prompt
 * @property {object | null} settings
 */

/** @param {View} view @returns {Line[]} */
export function lines(view) {
  const { tokens, bars, stages, rank, logits, scores, removed } = view;
  const last = stages.length - 1;
  return bars.map((i) => ({
    rank: rank[i],
    id: tokens[i].id,
    token: tokens[i].text,
    hex: tokens[i].hex,
    logit: logits[i],
    score: removed[i] < 0 ? scores[i] : null,
    model_prob: shareAt(view, 0, i),
    prob: shareAt(view, last, i),
    removed_by: removed[i] < 0 ? "" : stages[removed[i]].kind,
  }));
}

/**
 * A table for a spreadsheet. A token stands in JSON's quotes: so its spaces are
 * seen, a line break is none, and "=1+1" is no formula.
 *
 * @param {View} view
 */
export function stepCSV(view) {
  const names = "rank,id,token_json,hex,logit,score,model_prob,prob,removed_by".split(",");
  const rows = lines(view).map((x) => [
    x.rank,
    x.id,
    JSON.stringify(x.token),
    x.hex,
    x.logit,
    x.score ?? "",
    x.model_prob,
    x.prob,
    x.removed_by,
  ]);
  return `${[names, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** @param {string | number} v */
const cell = (v) => (/[",\r\n]/.test(String(v)) ? `"${String(v).replaceAll('"', '""')}"` : v);

/** @param {View} view @param {About} about */
export function stepJSON(view, about) {
  const { step, numbers, stages, draw, tokens } = view;
  const named = (/** @type {number} */ i) => (i < 0 ? null : tokens[i]);
  return JSON.stringify(
    {
      format: "decoding-playground/step",
      version: 1,
      ...about,
      step,
      numbers,
      stages,
      draw: { ...draw, token: named(draw.token), top: named(draw.top) },
      tokens: lines(view),
    },
    null,
    1,
  );
}

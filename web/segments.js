/** What each strip is divided into, and what fits into a segment as its label. */

import { int, pct, word } from "./format.js";
import { piecesOf } from "./rows.js";

/**
 * @typedef {import("./rows.js").Row} Row
 * @typedef {import("./api.d.ts").View} View
 *
 * @typedef {object} Segment
 * @property {string} key
 * @property {string} word
 * @property {number} many
 * @property {number} share
 * @property {number} x0
 * @property {number} x1
 * @property {string} cut the role of the stage that removes it next, or empty
 */

/** A character, roughly, in px at 13 px type. */
const CHAR = 7.4;

/** The segments of each row, from left to right.
 * @param {View} view @param {Row[]} rows @returns {Segment[][]} */
export function segmentsOf(view, rows) {
  const pieces = piecesOf(view);
  return rows.map((row, ri) => {
    const next = rows[ri + 1];
    let x = 0;
    return pieces
      .filter((p) => (p.removed < 0 || p.removed > row.stage) && p.share(row.stage) > 0)
      .map((p) => {
        const share = p.share(row.stage);
        const x0 = x;
        x += share;
        return {
          key: p.key,
          word: p.token < 0 ? "" : word(view.tokens[p.token]),
          many: p.many,
          share,
          x0,
          x1: x,
          cut: next && next.stage !== row.stage && p.removed === next.stage ? next.role : "",
        };
      });
  });
}

/** The rough width of a text in px at 16 px root.
 * @param {string} text */
function widthOf(text) {
  let w = 0;
  for (const c of text) w += /** @type {number} */ (c.codePointAt(0)) > 0x2e7f ? 2 * CHAR : CHAR;
  return w;
}

/** What fits into a piece: name and share, the name, or nothing.
 * @param {Segment} s @param {number} px */
export function labelOf(s, px) {
  if (!s.word) {
    const many = `+${int(s.many)}`;
    if (s.many && px > widthOf(many) + 8) return many;
    return px > 24 && !s.cut ? "…" : "";
  }
  const full = `${s.word}  ${pct(s.share)}`;
  if (px > widthOf(full) + 8) return full;
  return px > widthOf(s.word) + 8 ? s.word : "";
}

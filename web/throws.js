/** Throws of the die against what was expected: the arithmetic. */

/**
 * @typedef {import("./api.d.ts").Draws} Draws
 * @typedef {import("./api.d.ts").Token} Token
 *
 * @typedef {object} Row
 * @property {Token | null} token null: all others together
 * @property {number} many tokens in it
 * @property {number} expected its share, 0 to 1
 * @property {number} hits
 * @property {number} drawn hits as a share
 * @property {number} error 1.96 standard errors of a share
 * @property {number} low where 19 of 20 results lie
 * @property {number} high
 * @property {boolean} outside
 */

/** Standard errors to either side that hold 19 of 20 results. */
const WIDE = 1.96;

/**
 * A row a token, in the order of the draw, at most so many; the rest is one.
 *
 * @param {Draws} draws
 * @param {number} most
 * @returns {Row[]}
 */
export function throwRows(draws, most) {
  const { count, tokens, expected, hits } = draws;
  const row = (
    /** @type {Token | null} */ token,
    /** @type {number} */ many,
    /** @type {number} */ p,
    /** @type {number} */ n,
  ) => {
    const error = WIDE * Math.sqrt((p * Math.max(0, 1 - p)) / count);
    const drawn = n / count;
    const low = Math.max(0, p - error);
    const high = Math.min(1, p + error);
    // A hit more or less is not outside by rounding.
    const outside = drawn < low - 1e-12 || drawn > high + 1e-12;
    return { token, many, expected: p, hits: n, drawn, error, low, high, outside };
  };
  const rows = tokens.slice(0, most).map((token, i) => row(token, 1, expected[i], hits[i]));
  const others = tokens.length - rows.length + draws.otherTokens;
  if (!others) return rows;
  const sum = (/** @type {number[]} */ list) => list.slice(most).reduce((a, b) => a + b, 0);
  return [
    ...rows,
    row(null, others, sum(expected) + draws.otherExpected, sum(hits) + draws.otherHits),
  ];
}

/** The ends that an axis of shares may have. */
const AXIS = [0.1, 0.25, 0.5, 0.75, 1];

/** The end of an axis that holds all rows, whiskers included.
 * @param {Row[]} rows */
export function axisEnd(rows) {
  const most = Math.max(...rows.map((r) => Math.max(r.high, r.drawn)));
  return AXIS.find((end) => end >= most) ?? 1;
}

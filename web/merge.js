/** Many texts as one tree: what they share at the start is one node, with a count. */

/**
 * @typedef {{id: number, text: string, hex: string}} Piece
 *
 * @typedef {object} Branch
 * @property {string} key ids from the start, joined
 * @property {Piece} piece
 * @property {number} depth 0 is the first token
 * @property {number} count texts that go through it
 * @property {number} at where it begins among all texts, 0 to 1
 * @property {number} share of all texts
 *
 * @typedef {object} Merged
 * @property {Branch[][]} tiers by depth, each in the order of its parents, the most frequent first
 * @property {{key: string, pieces: Piece[], count: number}[]} texts the different ones, the most frequent first
 */

/** @param {Piece[][]} texts @returns {Merged} */
export function mergeTexts(texts) {
  /** @type {Branch[][]} */
  const tiers = [];
  grow(texts, { depth: 0, before: "", at: 0, all: texts.length, tiers });
  /** @type {Map<string, {key: string, pieces: Piece[], count: number}>} */
  const different = new Map();
  for (const pieces of texts) {
    const key = pieces.map((p) => p.id).join(".");
    const known = different.get(key);
    if (known) known.count++;
    else different.set(key, { key, pieces, count: 1 });
  }
  return { tiers, texts: [...different.values()].sort((a, b) => b.count - a.count) };
}

/**
 * Divides texts that are the same up to a depth by their next token.
 *
 * @param {Piece[][]} texts
 * @param {{depth: number, before: string, at: number, all: number, tiers: Branch[][]}} where
 */
function grow(texts, { depth, before, at, all, tiers }) {
  /** @type {Map<number, Piece[][]>} */
  const byToken = new Map();
  for (const text of texts) {
    const piece = text[depth];
    if (!piece) continue; // it ended here
    const same = byToken.get(piece.id);
    if (same) same.push(text);
    else byToken.set(piece.id, [text]);
  }
  const groups = [...byToken.values()].sort((a, b) => b.length - a.length);
  let begin = at;
  for (const group of groups) {
    const piece = group[0][depth];
    const key = before ? `${before}.${piece.id}` : String(piece.id);
    const share = group.length / all;
    tiers[depth] ??= [];
    tiers[depth].push({ key, piece, depth, count: group.length, at: begin, share });
    grow(group, { depth: depth + 1, before: key, at: begin, all, tiers });
    begin += share;
  }
}

/** A toy's logits of one step, and the toys with others in their place. */

/**
 * @typedef {object} Toys lessons/toys.json
 * @property {string[]} vocab
 * @property {Record<string, {start: number[], rows: Record<string, number[]>}>} toys
 */

/** The logits after a word; "" is the start, and so is a word without a row.
 * @param {Toys} toys @param {string} name @param {string} after */
export function logitsAfter({ toys }, name, after) {
  const { start, rows } = toys[name];
  return Object.hasOwn(rows, after) ? rows[after] : start;
}

/** @param {Toys} toys @param {string} name @param {string} after @param {number[]} row @returns {Toys} */
export function withLogits(toys, name, after, row) {
  const toy = toys.toys[name];
  const changed = Object.hasOwn(toy.rows, after)
    ? { ...toy, rows: { ...toy.rows, [after]: row } }
    : { ...toy, start: row };
  return { ...toys, toys: { ...toys.toys, [name]: changed } };
}

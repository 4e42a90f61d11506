/** The texts that compete in a beam search, and what became of those that went through a step. */

import { pathTo, rank } from "./tree.js";

/**
 * @typedef {import("./api.d.ts").Node} Node
 *
 * @typedef {object} Rivals
 * @property {Node} own the text that is best now, as it was after the step
 * @property {Node} other the one with the top token there, else the best of the rest
 * @property {number} now what the best text is ranked by now
 * @property {number | null} otherNow likewise the best that goes through other; null: none is left
 */

/** Where a text ends now, that goes on or is finished. @param {Node[]} nodes */
function endsOf(nodes) {
  const parents = new Set(nodes.map((n) => n.parent));
  return nodes.flatMap((n, i) =>
    i > 0 && !parents.has(i) && (n.state === "live" || n.state === "done") ? [i] : [],
  );
}

/** The texts that go on, as ends in nodes, the best first.
 * @param {Node[]} nodes @param {number} penalty length_penalty */
export const runners = (nodes, penalty) =>
  endsOf(nodes)
    .filter((i) => nodes[i].state === "live")
    .sort((a, b) => rank(nodes[b], penalty) - rank(nodes[a], penalty));

/**
 * Who competed at a step; null where nobody did.
 *
 * @param {Node[]} nodes of a tree
 * @param {{step: number, top: number, penalty: number}} at step: from 1, top: id of its top token,
 *   penalty: length_penalty
 * @returns {Rivals | null}
 */
export function rivalsAt(nodes, { step, top, penalty }) {
  const there = nodes.flatMap((n, i) => (n.step === step ? [i] : []));
  const own = there.find((i) => nodes[i].chained);
  if (own === undefined) return null;
  const rest = there.filter((i) => i !== own).sort((a, b) => nodes[a].place - nodes[b].place);
  const other = rest.find((i) => nodes[i].parent === nodes[own].parent && nodes[i].id === top);
  const chosen = other ?? rest[0];
  if (chosen === undefined) return null;
  const ends = endsOf(nodes);
  const best = (/** @type {number} */ through) => {
    const ranks = ends
      .filter((i) => pathTo(nodes, i).includes(through))
      .map((i) => rank(nodes[i], penalty));
    return ranks.length ? Math.max(...ranks) : null;
  };
  return {
    own: nodes[own],
    other: nodes[chosen],
    now: best(own) ?? rank(nodes[own], penalty),
    otherNow: best(chosen),
  };
}

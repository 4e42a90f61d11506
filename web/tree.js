/** Where the nodes of a beam tree stand: a column a step, children beside their parent. */

/**
 * @typedef {import("./api.d.ts").Node} Node
 *
 * @typedef {object} Placed
 * @property {number} index in the nodes
 * @property {number} x left end of the box
 * @property {number} y its middle
 * @property {string} band the path from the parent
 */

/**
 * The nodes as they stood at their own step: one that the step went on from, or
 * could have gone on from, was kept then, whatever became of it. So are those of
 * the last step that only the end of the search left behind.
 *
 * @param {Node[]} nodes
 * @returns {Node[]}
 */
export const asOfStep = (nodes) => nodes.map((n) => (n.kept ? { ...n, state: "live" } : n));

/** The nodes from the first token to index.
 * @param {Node[]} nodes @param {number} index */
export function pathTo(nodes, index) {
  /** @type {number[]} */
  const path = [];
  for (let at = index; at > 0; at = nodes[at].parent) path.unshift(at);
  return path;
}

/** What a text is ranked by: its sum, over its length to the power of length_penalty.
 * @param {Node} n @param {number} penalty */
export const rank = (n, penalty) => (n.state === "done" ? n.final : n.score / n.step ** penalty);

/** The width of a node. */
export const BOX = 100;
const ROW = 48;
const TOP = 34;
const LEFT = 92;
/** A column is no narrower than this. */
const COLUMN = 152;

/**
 * @param {Node[]} nodes node 0 is the prompt
 * @param {{upto: number, width: number, mirror: boolean}} options upto: the last step shown; mirror: right to left
 */
export function placeTree(nodes, { upto, width, mirror }) {
  const columns = Array.from({ length: upto }, () => /** @type {number[]} */ ([]));
  nodes.forEach((n, i) => {
    if (n.step >= 1 && n.step <= upto) columns[n.step - 1].push(i);
  });
  /** @type {Map<number, number>} the row of a node */
  const row = new Map();
  for (const column of columns) {
    const parentRow = (/** @type {number} */ i) => row.get(nodes[i].parent) ?? 0;
    const pruned = (/** @type {number} */ i) => Number(nodes[i].state === "pruned");
    column.sort(
      (a, b) =>
        parentRow(a) - parentRow(b) || pruned(a) - pruned(b) || nodes[a].place - nodes[b].place,
    );
    for (const [r, i] of column.entries()) row.set(i, r);
  }
  const rows = Math.max(1, ...columns.map((c) => c.length));
  const pitch = Math.max(COLUMN, Math.floor((width - LEFT - 24) / upto));
  const total = LEFT + pitch * upto + 20;
  const flip = (/** @type {number} */ x) => (mirror ? total - x : x);
  const left = (/** @type {Node} */ n) =>
    n.step === 0 ? LEFT - 6 - BOX : LEFT + (n.step - 1) * pitch + 52;
  const middle = (/** @type {number} */ i) =>
    nodes[i].step === 0 ? TOP + (rows * ROW) / 2 : TOP + (row.get(i) ?? 0) * ROW + ROW / 2;

  /** @param {number} i @returns {Placed} */
  const placed = (i) => {
    const n = nodes[i];
    const x = left(n);
    const y = middle(i);
    const at = mirror ? flip(x + BOX) : x;
    if (i === 0) return { index: i, x: at, y, band: "" };
    const from = flip(left(nodes[n.parent]) + BOX);
    const to = flip(x);
    const y0 = middle(n.parent);
    const m = (from + to) / 2;
    return { index: i, x: at, y, band: `M${from} ${y0}C${m} ${y0} ${m} ${y} ${to} ${y}` };
  };

  return {
    width: total,
    height: TOP + rows * ROW + 14,
    /** The middle of each column. */
    ticks: columns.map((_, s) => flip(LEFT + s * pitch + 52 + BOX / 2)),
    nodes: [0, ...columns.flat()].map(placed),
  };
}

/** The beam tree as SVG: nodes are buttons, arrow keys walk from one to the next. */

import { keyed, rtl, setAttr, setText, svg } from "./dom.js";
import { fixed, pct, special, word } from "./format.js";
import { t } from "./texts.js";
import { BOX, pathTo, placeTree } from "./tree.js";

/**
 * @typedef {import("./api.d.ts").Node} Node
 * @typedef {import("./tree.js").Placed} Placed
 *
 * @typedef {object} Shown
 * @property {Node[]} nodes
 * @property {number} best
 * @property {number} picked -1: none
 * @property {number} upto the last step shown
 * @property {number[]} [marked] nodes on a path that is to stand out
 */

/** Characters that fit into a node. */
const LABEL = 10;
/** The width of the prompt's node, which stands at the edge. */
const ROOT = 82;
/** Sizes that the tree can have; 1 is that of the page. */
const ZOOM = { least: 0.35, most: 2.5, step: 1.25 };
/** Half the height of a node. */
const HALF = 17;
/** How far the ring of the focus is from a node. */
const APART = 4;

/** @param {Node} n */
function label(n) {
  const text = special(n) ? n.text.replace(/\W/g, "") : word(n);
  return text.length > LABEL ? `${text.slice(0, LABEL - 1)}…` : text;
}

/** The second number of a node: its end, its place, or its share.
 * @param {Node} n */
function fate(n) {
  if (n.state === "done") return t("beams.end");
  return n.state === "pruned" ? `#${n.place}` : pct(n.prob, 0);
}

/** @param {Element} el @param {Record<string, string | number>} attributes */
function put(el, attributes) {
  for (const [name, v] of Object.entries(attributes)) setAttr(el, name, v);
}

/**
 * @param {HTMLElement} host
 * @param {{onPick: (index: number) => void}} deps
 */
export function createTreeView(host, { onPick }) {
  const layers = { ticks: svg("g"), bands: svg("g"), nodes: svg("g") };
  const picture = svg(
    "svg",
    { class: "tree", role: "group", "aria-label": t("beams.tree") },
    ...Object.values(layers),
  );
  host.append(picture);
  /** @type {Shown} */
  let shown = { nodes: [], best: 0, picked: -1, upto: 0 };
  /** @type {number[]} indices of the nodes on screen, column by column from the top */
  let order = [];
  let zoom = 1; // 0: the whole tree fits
  let natural = { width: 1, height: 1 };

  const size = () => zoom || Math.min(1, host.clientWidth / natural.width);

  /** Sets the size and keeps the middle of what is seen where it is.
   * @param {number} next 0: all of it fits */
  function zoomTo(next) {
    const before = size();
    const seen = (host.scrollLeft + host.clientWidth / 2) / before;
    zoom = next && Math.min(ZOOM.most, Math.max(ZOOM.least, next));
    scale();
    host.scrollLeft = seen * size() - host.clientWidth / 2;
  }

  function scale() {
    const { width, height } = natural;
    put(picture, {
      viewBox: `0 0 ${width} ${height}`,
      width: width * size(),
      height: height * size(),
    });
  }

  const keys = /** @type {Record<string, () => void>} */ ({
    "+": () => zoomTo(size() * ZOOM.step),
    "=": () => zoomTo(size() * ZOOM.step),
    "-": () => zoomTo(size() / ZOOM.step),
    0: () => zoomTo(0),
  });
  host.addEventListener("keydown", (e) => {
    if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    keys[e.key]();
  });
  // Two fingers on a touchpad are a wheel with Ctrl.
  host.addEventListener(
    "wheel",
    (e) => {
      if (!e.ctrlKey) return;
      e.preventDefault();
      zoomTo(size() * 1.01 ** -e.deltaY);
    },
    { passive: false },
  );

  /** @param {Placed} p */
  function make({ index }) {
    const el = svg(
      "g",
      { "data-index": index },
      svg("rect", { class: "box", width: BOX, height: 2 * HALF }),
      svg("path", { class: "bladeend" }),
      svg("text", { class: "word" }),
      " ",
      svg("text", { class: "score" }),
      " ",
      svg("text", { class: "why", "text-anchor": "end" }),
      svg("rect", { class: "ring", width: BOX + 2 * APART, height: 2 * (HALF + APART) }),
    );
    if (index === 0) return el;
    el.addEventListener("click", () => onPick(index));
    el.addEventListener("keydown", (e) => onKey(e, index));
    return el;
  }

  /** @param {SVGElement} el @param {Placed} p */
  function updateRoot(el, { x, y }) {
    const [rect, , name] = el.children;
    setAttr(el, "class", "node root");
    const left = rtl() ? x : x + BOX - ROOT;
    put(rect, { x: left, y: y - 16, width: ROOT, height: 32, rx: 6 });
    put(name, { x: left + ROOT / 2, y: y + 5, "text-anchor": "middle" });
    setText(name, t("beams.prompt"));
  }

  /** @param {SVGElement} el @param {Placed} p @param {string} state @param {boolean} tabStop */
  function update(el, { index, x, y }, state, tabStop) {
    const n = shown.nodes[index];
    const [rect, blade, ...texts] = el.children;
    const [ring] = texts.splice(-1);
    const round = n.state === "done" ? HALF : 6;
    const inner = n.state === "done" ? 14 : 10;
    const edge = rtl() ? x - 4 : x + BOX + 4;
    put(rect, { x, y: y - HALF, rx: round });
    put(ring, { x: x - APART, y: y - HALF - APART, rx: round + APART });
    setAttr(blade, "d", n.state === "pruned" ? `M${edge} ${y - HALF}v${2 * HALF}` : "");
    const lines = [
      { x: x + inner, y: y - 1, text: label(n) },
      { x: x + inner, y: y + 12, text: fixed(n.score) },
      { x: x + BOX - inner, y: y + 12, text: fate(n) },
    ];
    for (const [i, line] of lines.entries()) {
      put(texts[i], { x: line.x, y: line.y });
      setText(texts[i], line.text);
    }
    const told = t(`beams.node.${n.state}`, { n: n.place, step: n.step });
    put(el, {
      class: `node ${state}`,
      role: "button",
      tabindex: tabStop ? 0 : -1,
      "aria-pressed": String(index === shown.picked),
      "aria-label": `${label(n)} ${fixed(n.score)} ${fate(n)}, ${told}`,
    });
  }

  /** Up and down in the step, back to the parent, on to the first child.
   * @param {KeyboardEvent} e @param {number} index */
  function onKey(e, index) {
    const { nodes } = shown;
    const column = order.filter((i) => nodes[i].step === nodes[index].step);
    const at = column.indexOf(index);
    const [forth, back] = rtl() ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    /** @type {Record<string, number | undefined>} */
    const to = {
      ArrowDown: column[at + 1],
      ArrowUp: column[at - 1],
      [back]: nodes[index].parent,
      [forth]: order.find((i) => i > 0 && nodes[i].parent === index),
      Enter: index,
      " ": index,
    };
    if (!(e.key in to)) return;
    e.preventDefault();
    const target = to[e.key];
    if (!target || target < 0) return;
    onPick(target);
    /** @type {SVGElement | null} */ (
      layers.nodes.querySelector(`[data-index="${target}"]`)
    )?.focus();
  }

  return {
    zoomIn: keys["+"],
    zoomOut: keys["-"],
    zoomFit: keys[0],
    /** @param {Shown} what */
    draw(what) {
      shown = what;
      const { nodes, best, picked, upto, marked = [] } = what;
      const layout = placeTree(nodes, { upto, width: host.clientWidth || 900, mirror: rtl() });
      natural = layout;
      order = layout.nodes.map((p) => p.index);
      scale();

      const onBest = new Set(pathTo(nodes, best));
      const onPath = new Set(picked > 0 ? pathTo(nodes, picked) : []);
      const isMarked = new Set(marked);
      const state = (/** @type {number} */ i) =>
        `${nodes[i].state}${onBest.has(i) ? " best" : ""}${onPath.has(i) ? " path" : ""}${isMarked.has(i) ? " marked" : ""}`;
      const tabStop = picked > 0 ? picked : order.find((i) => i > 0);

      keyed(
        layers.ticks,
        layout.ticks,
        (_, i) => String(i),
        () => svg("text", { class: "tick", y: 18, "text-anchor": "middle" }),
        (el, x, i) => {
          setAttr(el, "x", x);
          setText(el, t("beams.tick", { n: i + 1 }));
        },
      );
      keyed(
        layers.bands,
        layout.nodes.filter((p) => p.index > 0),
        (p) => String(p.index),
        () => svg("path"),
        (el, p) => {
          put(el, { class: `branch ${state(p.index)}`, d: p.band });
          el.style.strokeWidth = String(Math.max(2.5, Math.min(26, nodes[p.index].prob * 60)));
        },
      );
      keyed(
        layers.nodes,
        layout.nodes,
        (p) => String(p.index),
        make,
        (el, p) =>
          p.index ? update(el, p, state(p.index), p.index === tabStop) : updateRoot(el, p),
      );
    },
  };
}

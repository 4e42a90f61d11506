/**
 * The cascade: one strip a row, always 100 % wide, with bands that follow each
 * token down, blades where a stage cuts, and the die on the last strip.
 */

import { onResize, rtl, setAttr, setText, svg, tween } from "./dom.js";
import { pct } from "./format.js";
import { labelOf, segmentsOf } from "./segments.js";

/**
 * @typedef {import("./rows.js").Row} Row
 * @typedef {import("./api.d.ts").View} View
 *
 * @typedef {import("./segments.js").Segment} Segment
 *
 * @typedef {object} Scene
 * @property {Segment[][]} rows
 * @property {boolean} held whether the die can be moved by hand
 * @property {string} chosen key of the token that the die picks
 * @property {number | null} die
 * @property {number} selected the row that the bars show
 *
 * @typedef {Map<string, [number, number]>} Places left and right end by row and key
 */

/** Half the width of the needle's flag, and the room below the last strip, at 16 px root. */
const HALF_FLAG = 32;
/** The same where it can be moved. */
const HALF_HELD = 42;
const FOOT = 40;

let hatches = 0;

/** @param {HTMLElement} root */
export function createCascade(root) {
  const hatchID = `hatch${++hatches}`; // a pattern of a hidden cascade is not drawn elsewhere
  const layers = {
    bands: svg("g"),
    pieces: svg("g"),
    blades: svg("g"),
    labels: svg("g"),
    scale: svg("g"),
  };
  const hatch = svg(
    "pattern",
    {
      id: hatchID,
      width: 6,
      height: 6,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    },
    svg("path", { d: "M0 0V6", class: "hatchline" }),
  );
  const picture = svg(
    "svg",
    { class: "ribbons", role: "img" },
    svg("defs", {}, hatch),
    ...Object.values(layers),
  );
  root.append(picture);

  /** @type {Places} */
  let places = new Map();
  /** @type {Scene | null} */
  let scene = null;
  let hotKey = "";

  /** What the style sheet says, read once: asking for it costs a layout.
   * @type {{rem: number, width: number, row: number, gap: number, lab: number, fin: number} | null} */
  let size = null;
  function readSize() {
    const css = getComputedStyle(root);
    const length = (/** @type {string} */ name) => parseFloat(css.getPropertyValue(name)) || 0;
    size = {
      rem: parseFloat(getComputedStyle(document.documentElement).fontSize) / 16,
      width: root.clientWidth || 600,
      row: length("--row"),
      gap: length("--gap"),
      lab: length("--lab"),
      fin: length("--fin"),
    };
    return size;
  }

  // Elements are kept by key and used again; what a paint did not touch goes.
  /** @typedef {{el: SVGElement, stamp: number, had: Record<string, string | number>}} Entry */
  /** @type {Map<string, Entry>} */
  const kept = new Map();
  let stamp = 0;
  /** @param {SVGElement} layer @param {string} key @param {string} tag */
  function use(layer, key, tag) {
    let entry = kept.get(key);
    if (!entry) {
      entry = { el: svg(tag), stamp, had: {} };
      kept.set(key, entry);
      layer.append(entry.el);
    }
    entry.stamp = stamp;
    return entry;
  }
  /** Writes what an element did not have; it takes longer to ask the element.
   * @param {Entry} entry @param {Record<string, string | number>} attributes */
  function put({ el, had }, attributes) {
    for (const name in attributes) {
      const given = attributes[name];
      const v = typeof given === "number" ? Math.round(given * 100) / 100 : given;
      if (had[name] === v) continue;
      had[name] = v;
      el.setAttribute(name, String(v));
    }
    return el;
  }

  /** @param {number} t @param {Places} from @param {Scene} to */
  function paint(t, from, to) {
    stamp++;
    const { rem, width, ...geometry } = size ?? readSize();
    const pitch = geometry.lab + geometry.row + geometry.gap;
    const last = to.rows.length - 1;
    const height = last * pitch + geometry.lab + geometry.fin + FOOT * rem;
    setAttr(picture, "viewBox", `0 0 ${width} ${height}`);
    setAttr(picture, "height", height);

    const X = (/** @type {number} */ v) => (rtl() ? width - v * width : v * width);
    /** @type {Places} */
    const now = new Map();
    to.rows.forEach((segments, ri) => {
      for (const s of segments) {
        const a = from.get(ri + s.key);
        now.set(
          ri + s.key,
          a ? [a[0] + (s.x0 - a[0]) * t, a[1] + (s.x1 - a[1]) * t] : [s.x0, s.x1],
        );
      }
    });
    const at = (/** @type {string} */ key) => /** @type {[number, number]} */ (now.get(key));

    to.rows.forEach((segments, ri) => {
      const y = ri * pitch + geometry.lab;
      const h = ri === last ? geometry.fin : geometry.row;
      const later = ri > to.selected ? " later" : "";
      const first = ri === 0 ? "first " : "";
      let cutAt = -1;
      let cutRole = "";
      segments.forEach((s, i) => {
        const [v0, v1] = at(ri + s.key);
        const x = Math.min(X(v0), X(v1));
        const w = Math.abs(X(v1) - X(v0));
        const inset = w > 3 ? 0.75 : 0;
        const chosen = s.key === to.chosen ? " chosen" : "";
        const hot = s.key === hotKey ? " hot" : "";
        const box = { x: x + inset, y, width: Math.max(0, w - 2 * inset), height: h };
        const kind = s.cut ? "cut" : i % 2 ? "odd" : "even";
        put(use(layers.pieces, `p${ri}${s.key}`, "rect"), {
          ...box,
          rx: w > 8 ? 3 : 0,
          class: `piecebox ${first}${kind}${chosen}${later}${hot}`,
        });
        if (s.cut)
          put(use(layers.pieces, `h${ri}${s.key}`, "rect"), {
            ...box,
            fill: `url(#${hatchID})`,
            class: `hatch${later}`,
          });
        const text = labelOf(s, w / rem);
        if (text) {
          const el = put(use(layers.labels, `l${ri}${s.key}`, "text"), {
            x: x + w / 2,
            y: y + h / 2 + 4.5 * rem,
            "text-anchor": "middle",
            class: `${first}${s.cut ? "cut" : chosen}${later}`,
          });
          setText(el, text);
        }
        if (s.cut && cutAt < 0) {
          cutAt = v0;
          cutRole = s.cut;
        }
        const below = now.get(ri + 1 + s.key);
        if (!below || ri === last) return;
        const [a0, a1, b0, b1] = [X(v0), X(v1), X(below[0]), X(below[1])].map(
          (v) => Math.round(v * 10) / 10,
        );
        const [y0, y1] = [y + h, y + pitch];
        const m = (y0 + y1) / 2;
        put(use(layers.bands, `b${ri}${s.key}`, "path"), {
          class: `band ${i % 2 ? "odd" : "even"}${chosen}${ri + 1 > to.selected ? " later" : ""}${hot}`,
          d: `M${a0} ${y0}C${a0} ${m} ${b0} ${m} ${b0} ${y1}H${b1}C${b1} ${m} ${a1} ${m} ${a1} ${y0}Z`,
        });
      });
      if (cutAt >= 0) {
        const x = X(cutAt);
        const foot = y + h + Math.min(14, geometry.gap * 0.5);
        put(use(layers.blades, `c${ri}`, "path"), {
          class: `blade ${cutRole}${ri + 1 > to.selected ? " later" : ""}`,
          d: `M${x} ${y - 5}V${foot}H${X(1)}`,
        });
      }
    });
    paintScale(t, from, to, now, {
      rem,
      width,
      y: last * pitch + geometry.lab,
      h: geometry.fin,
      X,
    });
    for (const [key, entry] of kept) {
      if (entry.stamp === stamp) continue;
      entry.el.remove();
      kept.delete(key);
    }
    places = now;
  }

  /**
   * The scale under the last strip and the needle of the die.
   *
   * @param {number} t @param {Places} from @param {Scene} to @param {Places} now
   * @param {{rem: number, width: number, y: number, h: number, X: (v: number) => number}} g
   */
  function paintScale(t, from, to, now, { rem, width, y, h, X }) {
    const foot = y + h;
    const half = (to.held ? HALF_HELD : HALF_FLAG) * rem;
    put(use(layers.scale, "axis", "path"), { class: "axis", d: `M0 ${foot + 9}H${width}` });
    let die = to.die;
    if (die !== null) {
      const before = from.get("die");
      if (before) die = before[0] + (die - before[0]) * t;
      now.set("die", [die, die]);
    }
    const flag = die === null ? -1000 : Math.max(half, Math.min(width - half, X(die)));
    for (let q = 0; q <= 4; q++) {
      const x = X(q / 4);
      put(use(layers.scale, `k${q}`, "path"), { class: "tickmark", d: `M${x} ${foot + 9}v5` });
      if (Math.abs(x - flag) < 2 * half) continue;
      const side = x < 1 ? "start" : x > width - 1 ? "end" : "middle";
      const place = { x, y: foot + 12 + 16 * rem, "text-anchor": side };
      const el = put(use(layers.scale, `q${q}`, "text"), { class: "tick", ...place });
      setText(el, `${q * 25}%`);
    }
    if (die === null) return;
    const x = X(die);
    put(use(layers.scale, "needle", "path"), {
      class: "needle",
      d: `M${x} ${y - 7}V${y + 9}M${x} ${foot - 9}V${foot + 14}`,
    });
    put(use(layers.scale, "tip", "path"), {
      class: "needle tip",
      d: `M${x - 7} ${y - 13}h14l-7 10z`,
    });
    put(use(layers.scale, "flag", "rect"), {
      class: "flag",
      x: flag - half,
      y: foot + 13,
      width: 2 * half,
      height: 24 * rem,
      rx: 6,
    });
    const at = { x: flag, y: foot + 13 + 17 * rem, "text-anchor": "middle" };
    const el = put(use(layers.scale, "flagtext", "text"), { class: "flagtext", ...at });
    setText(el, to.held ? `‹ ${pct(die)} ›` : pct(die));
  }

  onResize(root, () => {
    size = null;
    if (scene) paint(1, new Map(), scene);
  });

  return {
    /**
     * @param {View} view
     * @param {Row[]} rows
     * @param {{die: number | null, held?: boolean, token: number, selected: number, label: string, live: boolean}} what
     *   token is an index in View.tokens, or -1; live draws at once; held: the die can be moved
     */
    update(view, rows, { die, held = false, token, selected, label, live }) {
      scene = {
        rows: segmentsOf(view, rows),
        chosen: token < 0 ? "" : `t${view.tokens[token].id}`,
        die,
        held,
        selected,
      };
      setAttr(picture, "aria-label", label);
      const from = places;
      const to = scene;
      tween(root, live ? 0 : 220, (t) => paint(t, from, to));
    },
    /** Lights the thread of a token through all strips; null: none.
     * @param {number | null} id */
    hot(id) {
      hotKey = id === null ? "" : `t${id}`;
      picture.classList.toggle("tracing", id !== null);
      for (const [key, { el }] of kept)
        if (/^[pb]\d/.test(key)) el.classList.toggle("hot", key.replace(/^[pb]\d+/, "") === hotKey);
    },
  };
}

/**
 * Charts: the engine gives an ECharts option, ECharts draws it as SVG. Colours
 * in an option are names of the page's own, and are put in here, anew when the
 * theme changes.
 */

import { h, onResize, onTheme, rtl, still } from "./dom.js";
import { number } from "./format.js";
import { letEmpty } from "./trusted.js";

/** @typedef {import("./vendor/echarts.esm.min.js").ECharts} ECharts */

/** Fetched once, when the first chart is drawn.
 * @type {Promise<typeof import("./vendor/echarts.esm.min.js")> | null} */
let library = null;
const load = () => {
  if (!library) letEmpty();
  library ??= import("./vendor/echarts.esm.min.js");
  return library;
};

const probe = h("span", { class: "probe", hidden: true });

/** The colour behind a name, as the theme has it now.
 * @param {string} name */
function colour(name) {
  if (!probe.isConnected) document.body.append(probe);
  probe.style.color = `var(${name})`;
  return getComputedStyle(probe).color;
}

/** The keys whose value may be such a name; any other string is data. */
const COLOURED = new Set(["color", "borderColor", "backgroundColor"]);

/** The option with its colours in place and its type as large as the page's.
 * @param {any} value @param {string} key @param {{seen: Map<string, string>, rem: number}} how @returns {any} */
function dressed(value, key, how) {
  if (key === "fontSize") return value * how.rem;
  if (typeof value === "string") {
    if (!COLOURED.has(key) || !value.startsWith("--")) return value;
    const known = how.seen.get(value) ?? colour(value);
    how.seen.set(value, known);
    return known;
  }
  if (Array.isArray(value))
    return typeof value[0] === "number" ? value : value.map((v) => dressed(v, key, how));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, dressed(v, k, how)]));
}

/** Numbers at the axes as the page writes them.
 * @param {any} option */
function inWords(option) {
  for (const axis of [...option.xAxis, ...option.yAxis])
    if (axis.type !== "category" && axis.axisLabel && !axis.axisLabel.formatter)
      axis.axisLabel.formatter = number;
}

/** From right to left: what began at the left begins at the right.
 * @param {any} option */
function mirror(option) {
  for (const x of option.xAxis) x.inverse = true;
  for (const y of option.yAxis) y.position = "right";
  for (const g of [option.grid].flat()) [g.left, g.right] = [g.right, g.left];
}

/**
 * @param {HTMLElement} host its size is the chart's
 * @param {{edit?: (option: any) => void, onDraw?: (chart: ECharts) => void}} [deps]
 *   edit changes an option before it is drawn, onDraw is called after
 */
export function createChart(host, { edit, onDraw } = {}) {
  /** @type {ECharts | null} */
  let chart = null;
  let json = "";
  let closed = false;

  function draw() {
    if (!chart || !json) return;
    const raw = JSON.parse(json);
    inWords(raw);
    if (rtl()) mirror(raw);
    edit?.(raw);
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    const option = dressed(raw, "", { seen: new Map(), rem });
    const { fontFamily } = getComputedStyle(document.body);
    chart.setOption(
      {
        ...option,
        animation: option.animation !== false && !still(),
        textStyle: { fontFamily, ...option.textStyle },
      },
      { notMerge: true },
    );
    onDraw?.(chart);
  }

  onResize(host, () => {
    chart?.resize();
    if (chart && json) onDraw?.(chart);
  });
  const endTheme = onTheme(draw);

  return {
    /** Draws an option; the newest wins.
     * @param {string} option */
    async set(option) {
      if (option === json) return;
      json = option;
      const { init } = await load();
      if (closed) return;
      chart ??= init(host, null, { renderer: "svg" });
      draw();
    },
    close() {
      closed = true;
      endTheme();
      chart?.dispose();
      chart = null;
    },
  };
}

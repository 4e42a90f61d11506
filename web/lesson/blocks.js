/** The page's own pictures of one step, each with the elements that it fills. */

import { createBars } from "../bars.js";
import { createCurve } from "../curve.js";
import { h, setStyle, setText } from "../dom.js";
import { pct } from "../format.js";
import { createNumbers } from "../numbers.js";
import { createCascade } from "../ribbon.js";
import { rowNote } from "../rows.js";
import { createStops } from "../stops.js";
import { createTable, TABLE_ROWS } from "../table.js";
import { t } from "../texts.js";

/**
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").View} View
 * @typedef {import("../control.js").Input} Input
 * @typedef {import("../rows.js").Row} Row
 * @typedef {import("../settings.js").Settings} Settings
 * @typedef {import("./bench.js").Bench} Bench
 * @typedef {import("./catalog.js").Step} Step
 * @typedef {import("./catalog.js").Task} Task
 * @typedef {import("./vars.js").Facts} Facts
 *
 * @typedef {object} Shown what a block draws
 * @property {Facts} facts
 * @property {View} view
 * @property {Row[]} rows
 * @property {Settings} settings
 * @property {Bench} bench
 * @property {number} step the token on screen, -1 is the next
 * @property {boolean} live more will follow at once
 *
 * @typedef {object} Hands what a block may do
 * @property {(id: number) => void} take
 * @property {(kind: string, v: number, how: Input) => void} stage sets a stage that is there
 * @property {(v: number | null) => void} die
 * @property {(row: number[] | null) => void} logits
 * @property {(n: number) => void} throw
 *
 * @typedef {object} Context
 * @property {string} id makes the ids of a block its own
 * @property {import("../reader.js").Engine} engine
 * @property {Described} described
 * @property {Step | Task} part
 * @property {Set<string>} overlays
 * @property {Hands} hands
 *
 * @typedef {object} Block
 * @property {HTMLElement} el
 * @property {(shown: Shown) => void} draw
 * @property {number} [tokens] how many a view needs for it
 * @property {boolean} [ofTree] draws the tree: also after the end of a search, where there is no view
 * @property {() => void} [close]
 */

const cell = (/** @type {string} */ cls, /** @type {string} */ key) =>
  h("th", { scope: "col", class: cls }, t(key));

/** @param {string} cls */
const rankCell = (cls) =>
  h(
    "th",
    { scope: "col", class: cls },
    h("span", { "aria-hidden": "true" }, "#"),
    h("span", { class: "sr" }, t("bars.rank")),
  );

/** @param {Context} context @returns {Block} */
export function barsBlock({ hands, overlays }) {
  const most = h("span", { class: "axis-max" });
  const key = h(
    "span",
    { class: "key" },
    h("i", { class: "kghost" }),
    t("bars.key.model"),
    " ",
    h("i", { class: "kfill" }),
    h("span", { class: "key-f" }),
  );
  const table = h(
    "table",
    { class: "bars" },
    h("caption", { class: "sr" }, t("bars.caption")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        rankCell("n rank"),
        cell("", "bars.token"),
        h(
          "th",
          { scope: "col", class: "barcell" },
          h("span", { class: "axisrow" }, "0", key, most),
        ),
        cell("n m", "bars.model"),
        cell("n f col-f", "bars.final"),
      ),
    ),
    h("tbody"),
  );
  const bar = h("p", { class: "hint minpnote" });
  const el = h("div", { class: "figbars" }, table, h("p", { class: "below num" }), bar);
  const bars = createBars(el, { onTake: hands.take, onHover: () => {} });
  return {
    el,
    draw({ view, rows, facts }) {
      bars.update(view, rows, rows.length - 1, view.draw.token);
      if (!overlays.has("min_p_line")) return;
      // The shares that the stage is given, which are not those that it leaves.
      const before = view.stages.findIndex(({ kind }) => kind === "min_p") - 1;
      const top = view.probs[Math.max(0, before) * view.tokens.length + view.draw.top];
      const at = before < 0 ? 0 : facts.values.min_p * top;
      table.classList.toggle("marked", at > 0);
      setStyle(table, "--mark", at / (Number.parseFloat(most.textContent ?? "") / 100 || 1));
      setText(bar, at > 0 ? t("lesson.minpLine", { share: at, top: pct(top) }) : "");
    },
  };
}

/** @returns {Block} */
export function tableBlock() {
  const heads = ["bars.token", "table.id", "table.logit", "bars.model", "bars.final", "table.sum"];
  const el = h(
    "section",
    { class: "full", tabIndex: 0, "aria-label": t("table.name") },
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          rankCell("n"),
          heads.map((key, i) => cell(i ? "n" : "", key)),
          cell("", "table.fate"),
        ),
      ),
      h("tbody"),
    ),
  );
  const table = createTable(el);
  return { el, tokens: TABLE_ROWS, draw: ({ view, rows }) => table.update(view, rows) };
}

/** @returns {Block} */
export function numbersBlock() {
  const part = (/** @type {string} */ name) =>
    h(
      "div",
      { class: "num1", "data-num": name },
      h("span", { class: "l" }, t(`num.${name}`)),
      h("span", { class: "v" }, "–"),
      h("span", { class: "u" }),
      h("span", { class: "s" }),
    );
  const el = h(
    "section",
    { class: "nums", "aria-label": t("num.name") },
    ["nucleus", "mass", "entropy", "choices"].map(part),
  );
  const numbers = createNumbers(el);
  return { el, draw: ({ view }) => numbers.update(view) };
}

/** One strip a stage, from the model to the die. @returns {Block} */
export function cascadeBlock() {
  const stopsBox = h("div", {
    class: "stops",
    role: "radiogroup",
    "aria-label": t("lesson.stops"),
  });
  const box = h("div", { class: "ribbonbox" });
  const el = h("div", { class: "cascade figcascade" }, stopsBox, box);
  let selected = "";
  /** @type {Shown | null} */
  let last = null;
  const cascade = createCascade(box);
  const stops = createStops(stopsBox, {
    onSelect(key, final) {
      selected = final ? "" : key;
      if (last) draw(last);
    },
  });

  /** @param {Shown} shown */
  function draw(shown) {
    last = shown;
    const { view, rows, live } = shown;
    const at = rows.findIndex((r) => r.key === selected);
    const row = at < 0 ? rows.length - 1 : at;
    stops.update(rows, row);
    cascade.update(view, rows, {
      die: view.draw.thrown ? view.draw.die : null,
      token: view.draw.token,
      selected: row,
      label: rows.map((r) => `${r.label} ${r.value}: ${rowNote(r)}.`).join(" "),
      live,
    });
  }
  return { el, draw };
}

/** The cumulative curve over the whole vocabulary. @param {Context} context @returns {Block} */
export function curveBlock({ engine, described, hands }) {
  const el = h(
    "div",
    { class: "figcurve" },
    h("div", { class: "curve" }, h("div", { class: "plot" })),
    h("p", { class: "crossnote" }),
  );
  const curve = createCurve(el, {
    engine,
    described,
    onP: (p, how) => hands.stage("top_p", p, how),
  });
  return {
    el,
    draw: ({ view, settings, facts, step, live }) =>
      curve.update(view, settings, { session: facts.status.session, step, live }),
  };
}

/** The picture of one step: strips, bars or table, numbers and curve. */

import { BARS, createBars } from "./bars.js";
import { createCurve } from "./curve.js";
import { createDie } from "./die.js";
import { $, $$, setAttr } from "./dom.js";
import { spoken } from "./format.js";
import { createNumbers } from "./numbers.js";
import { createCascade } from "./ribbon.js";
import { rowNote, rowsOf } from "./rows.js";
import { createStops } from "./stops.js";
import { createTable, TABLE_ROWS } from "./table.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./rows.js").Row} Row
 * @typedef {import("./settings.js").Settings} Settings
 *
 * @typedef {object} Where
 * @property {number} session
 * @property {number} step -1: the next one
 * @property {boolean} live more will follow at once: nothing glides
 *
 * @typedef {object} Deps
 * @property {import("./reader.js").Engine} engine
 * @property {import("./api.d.ts").Described} described
 * @property {(id: number) => void} onTake
 * @property {(p: number, how: import("./control.js").Input) => void} onP
 * @property {(die: number, how: import("./control.js").Input) => void} onDie
 * @property {() => void} onMode another number of tokens is wanted
 */

/** How long each strip stands when the stages are played, ms. */
const PLAY = 900;

/** @param {HTMLElement} root @param {Deps} deps */
export function createPicture(root, { engine, described, onTake, onP, onDie, onMode }) {
  let selectedKey = ""; // of the row that the bars show; empty: the last
  let table = false;
  let playing = 0;
  /** @type {{view: View, rows: Row[]} | null} */
  let last = null;
  let next = true; // the step on screen is still to come

  const cascade = createCascade($(".ribbonbox", root));
  const held = createDie($(".ribbonbox", root), { onDie });
  const stops = createStops($(".stops", root), {
    onSelect(key, final) {
      clearTimeout(playing);
      select(final ? "" : key);
    },
  });
  const bars = createBars($(".barpanel", root), { onTake, onHover: (id) => cascade.hot(id) });
  const lines = createTable($(".full", root));
  const numbers = createNumbers($(".nums", root));
  const curve = createCurve($(".curvepanel", root), { engine, described, onP });

  const modes = $$(".modes button", root);
  for (const button of modes) button.addEventListener("click", () => show(button));

  /** @param {HTMLElement} button */
  function show(button) {
    table = button.dataset.mode === "table";
    for (const b of modes) setAttr(b, "aria-pressed", String(b === button));
    $(".bars", root).hidden = $(".below", root).hidden = table;
    $(".full", root).hidden = !table;
    onMode();
  }

  /** @param {string} key */
  function select(key) {
    selectedKey = key;
    if (last) drawStages(last.view, last.rows, false);
  }

  $(".playstages", root).addEventListener("click", () => {
    clearTimeout(playing);
    let i = 0;
    const next = () => {
      const rows = last?.rows ?? [];
      select(i < rows.length - 1 ? rows[i].key : "");
      if (++i < rows.length) playing = window.setTimeout(next, PLAY);
    };
    next();
  });

  /** What depends on the selected row. @param {View} view @param {Row[]} rows @param {boolean} live */
  function drawStages(view, rows, live) {
    const found = rows.findIndex((r) => r.key === selectedKey);
    const selected = found < 0 ? rows.length - 1 : found;
    const { thrown, die, token } = view.draw;
    stops.update(rows, selected);
    cascade.update(view, rows, {
      die: thrown ? die : null,
      held: thrown && next,
      token,
      selected,
      label: inWords(view, rows),
      live,
    });
    held.update(thrown && next ? die : null, token < 0 ? "" : spoken(view.tokens[token]));
    if (table) lines.update(view, rows);
    else bars.update(view, rows, selected, token);
  }

  return {
    /** How many tokens a view needs. */
    tokens: () => (table ? TABLE_ROWS : BARS),

    /**
     * Draws a view and gives the rows it was drawn in.
     *
     * @param {View} view @param {Settings} settings @param {Where} where
     */
    draw(view, settings, where) {
      root.classList.toggle("live", where.live);
      const rows = rowsOf(view, settings, described);
      last = { view, rows };
      next = where.step < 0;
      drawStages(view, rows, where.live);
      numbers.update(view);
      curve.update(view, settings, where);
      return rows;
    },
  };
}

/** The cascade in words. @param {View} view @param {Row[]} rows */
function inWords({ draw, tokens }, rows) {
  const stages = rows.map((r) => `${r.label} ${r.value}: ${rowNote(r)}.`);
  if (draw.token < 0) return stages.join(" ");
  const values = { share: draw.die, token: spoken(tokens[draw.token]) };
  return [...stages, t(draw.thrown ? "cascade.die" : "cascade.noDie", values)].join(" ");
}

/** A toy's logits, to be looked at, dragged and typed. */

import { h, keyed, setAttr, setStyle, setText } from "../dom.js";
import { fixed, pct, word } from "../format.js";
import { shareAt } from "../rows.js";
import { t } from "../texts.js";

/**
 * @typedef {import("./blocks.js").Block} Block
 * @typedef {import("./blocks.js").Context} Context
 * @typedef {import("./blocks.js").Shown} Shown
 */

/** How far a slider reaches beyond the logits that are there. */
const REACH = 10;
const STEP = 0.1;

/** @param {Context} context @returns {Block} */
export function logitsBlock({ id, part, hands }) {
  const { show = "both", edit_logits: editable = false } = part.display ?? {};
  const probs = show !== "logits";
  let logits = /** @type {number[]} */ ([]);
  /** The slider's ends; they stay while one is dragged. */
  let ends = [0, 0];

  /** @param {number} token @param {number} v */
  function set(token, v) {
    if (!Number.isFinite(v)) return;
    hands.logits(logits.map((x, i) => (i === token ? v : x)));
  }
  /** @param {number} by */
  const shift = (by) => hands.logits(logits.map((x) => Math.round((x + by) * 1000) / 1000));

  const body = h("tbody");
  const table = h(
    "table",
    { class: "logits" },
    h("caption", { class: "sr" }, t("lesson.logits")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, t("bars.token")),
        h("th", { scope: "col", class: "n" }, t("table.logit")),
        h("th", { scope: "col" }, h("span", { class: "sr" }, t("lesson.logitTrack"))),
        probs ? h("th", { scope: "col", class: "n" }, t("lesson.share")) : null,
      ),
    ),
    body,
  );
  const amount = h("input", {
    type: "number",
    step: "any",
    value: "1",
    id: `${id}-shift`,
    "aria-label": t("lesson.shiftBy"),
  });
  const button = (/** @type {string} */ key, /** @type {() => void} */ onclick) =>
    h("button", { type: "button", class: "btn", onclick }, t(key));
  const acts = h(
    "div",
    { class: "acts logitacts" },
    h("label", { htmlFor: amount.id }, t("lesson.shift")),
    amount,
    button("lesson.add", () => shift(amount.valueAsNumber || 0)),
    button("lesson.subtract", () => shift(-(amount.valueAsNumber || 0))),
    button("lesson.resetLogits", () => hands.logits(null)),
  );
  const el = h("div", { class: "figlogits" }, table, editable ? acts : null);

  /** @param {number} token */
  function make(token) {
    const name = h("th", { scope: "row" });
    const box = h("input", {
      type: "number",
      step: "any",
      oninput: () => set(token, box.valueAsNumber),
    });
    const range = h("input", {
      type: "range",
      step: STEP,
      oninput: () => set(token, Number(range.value)),
    });
    const plain = h("span", { class: "num" });
    const bar = h("div", { class: "bar" }, h("span", { class: "fill" }));
    const row = h(
      "tr",
      {},
      name,
      h("td", { class: "n" }, editable ? box : plain),
      h("td", { class: "track" }, editable ? range : null, probs ? bar : null),
      probs ? h("td", { class: "n share" }) : null,
    );
    return Object.assign(row, { parts: { name, box, range, plain, bar } });
  }

  return {
    el,
    draw({ view, bench }) {
      logits = [...bench.logits];
      const low = Math.floor(Math.min(...logits) - REACH);
      const high = Math.ceil(Math.max(...logits) + REACH);
      // Widened when a value leaves them, never narrowed under the hand.
      if (low < ends[0] - REACH || high > ends[1] + REACH || ends[0] === ends[1])
        ends = [low, high];
      const tokens = view.bars.map((i) => view.tokens[i].id).sort((a, b) => a - b);
      keyed(
        body,
        tokens,
        (token) => String(token),
        (token) => make(token),
        (row, token) => {
          const { name, box, range, plain, bar } = row.parts;
          const i = view.tokens.findIndex((x) => x.id === token);
          const label = word(view.tokens[i]);
          const share = shareAt(view, view.stages.length - 1, i);
          const logit = logits[token];
          setText(name, label);
          setText(plain, fixed(logit, 1));
          if (document.activeElement !== box) box.value = String(logit);
          setAttr(box, "aria-label", t("lesson.logitOf", { token: label }));
          setAttr(range, "aria-label", t("lesson.logitOf", { token: label }));
          setAttr(range, "min", ends[0]);
          setAttr(range, "max", ends[1]);
          range.value = String(logit);
          setAttr(range, "aria-valuetext", `${fixed(logit, 1)}, ${pct(share, 2)}`);
          setStyle(range, "--fill", (logit - ends[0]) / (ends[1] - ends[0]));
          setStyle(/** @type {HTMLElement} */ (bar.firstElementChild), "--w", share);
          const cell = row.querySelector(".share");
          if (cell) setText(cell, pct(share, 2));
        },
      );
    },
  };
}

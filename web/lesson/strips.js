/** One step as strips of 100 %: what enters the filter, with the lines on it, and what is left, with the die. */

import { createControl } from "../control.js";
import { h, keyed, setAttr, setStyle, setText } from "../dom.js";
import { int, pct, value, word } from "../format.js";
import { piecesOf } from "../rows.js";
import { processor } from "../settings.js";
import { isolated, t } from "../texts.js";

/**
 * @typedef {import("../api.d.ts").Param} Param
 * @typedef {import("../api.d.ts").View} View
 * @typedef {import("./blocks.js").Block} Block
 * @typedef {import("./blocks.js").Context} Context
 * @typedef {import("./blocks.js").Shown} Shown
 *
 * @typedef {object} Segment
 * @property {string} key
 * @property {string} word
 * @property {number} share
 * @property {boolean} cut
 * @property {boolean} chosen
 *
 * @typedef {object} Line
 * @property {string} role
 * @property {number} at 0 to 1
 * @property {string} text
 *
 * @typedef {object} Strip
 * @property {string} key
 * @property {string} label
 * @property {boolean} model
 * @property {Segment[]} segments
 * @property {Line[]} lines
 * @property {number | null} die
 */

/** @type {Param} the die as a setting of its own */
const DIE = {
  name: "die",
  label: "",
  doc: "",
  type: "number",
  default: 0.5,
  min: 0,
  max: 1,
  openMin: false,
  openMax: true,
  off: 0,
  hasOff: false,
  low: 0,
  high: 0.9999,
  step: 0.0001,
  scale: "linear",
  range: "",
  choices: [],
  plain: false,
};

/** The stage that the filters get: the one before top-p, or before the first that cuts.
 * @param {View} view */
function entering({ stages }) {
  const topP = stages.findIndex((s) => s.kind === "top_p");
  const cut = stages.findIndex((s) => s.cut > 0);
  const at = topP > 0 ? topP : cut;
  return at > 0 ? at - 1 : stages.length - 1;
}

/** @param {View} view @param {number} stage @returns {Segment[]} */
function segments(view, stage) {
  return piecesOf(view)
    .filter((p) => (p.removed < 0 || p.removed > stage) && p.share(stage) > 0)
    .map((p) => ({
      key: p.key,
      word: p.token >= 0 ? word(view.tokens[p.token]) : p.many ? `+${int(p.many)}` : "…",
      share: p.share(stage),
      cut: p.removed > stage,
      chosen: p.token >= 0 && p.token === view.draw.token,
    }));
}

/** What the wrong rule would keep: it drops the token that crosses p.
 * @param {Segment[]} from @param {number} size */
const slipped = (from, size) => from.map((s, i) => ({ ...s, cut: i >= size, chosen: false }));

/** @param {Context} context @param {{plain?: boolean}} [how] plain: no lines, no die to set @returns {Block} */
export function stripsBlock({ id, described, overlays, hands }, { plain = false } = {}) {
  const rows = h("div", { class: "strips" });
  const dieBox = h("div", { class: "dieset" });
  const el = h("div", { class: "fig" }, rows, dieBox);
  const canSet = overlays.has("die") && !plain;
  const die = canSet
    ? createControl({
        id: `${id}-die`,
        param: DIE,
        label: t("lesson.die"),
        letter: "",
        role: "",
        doc: "",
        onToggle: null,
        onValue: (v) => hands.die(v),
      })
    : null;
  const fromSeed = h(
    "button",
    { type: "button", class: "btn quiet", onclick: () => hands.die(null) },
    t("lesson.dieSeed"),
  );
  if (die) dieBox.append(die.el, fromSeed);

  /** @param {Shown} shown @returns {Strip[]} */
  function stripsOf({ view, settings }) {
    const last = view.stages.length - 1;
    const enter = entering(view);
    const name = (/** @type {number} */ stage) =>
      stage === 0
        ? t("stage.model")
        : (processor(described, view.stages[stage].kind)?.label ?? view.stages[stage].kind);
    const thrown = view.draw.thrown ? view.draw.die : null;
    /** @type {Line[]} */
    const lines = [];
    const topP = settings.stages.find((s) => s.kind === "top_p");
    const param = processor(described, "top_p")?.params[0];
    if (overlays.has("p_line") && topP && param)
      lines.push({
        role: "role-topp",
        at: topP.on ? topP.args.top_p : 1,
        text: topP.on ? isolated(`p ${value(param, topP.args.top_p)}`) : t("curve.pOff"),
      });
    const first = segments(view, enter);
    /** @type {Strip[]} */
    const strips = [
      {
        key: "enter",
        label: enter === 0 ? t("stage.model") : t("lesson.after", { stage: name(enter) }),
        model: enter === 0,
        segments: first.map((s) => ({ ...s, chosen: s.chosen && enter === last })),
        lines: plain ? [] : lines,
        die: enter === last ? thrown : null,
      },
    ];
    if (enter < last)
      strips.push({
        key: "final",
        label: t("lesson.after", { stage: name(last) }),
        model: false,
        segments: segments(view, last),
        lines: [],
        die: thrown,
      });
    const size = view.numbers.slip_size;
    if (overlays.has("slip_top_p") && !plain && size)
      strips.push({
        key: "slip",
        label: t("lesson.slip", { n: size, mass: view.numbers.slip_mass }),
        model: false,
        segments: slipped(first, size),
        lines: [],
        die: null,
      });
    return strips;
  }

  return {
    el,
    draw(shown) {
      drawStrips(rows, stripsOf(shown));
      const { draw } = shown.view;
      dieBox.hidden = !draw.thrown;
      const hit = draw.token < 0 ? "" : word(shown.view.tokens[draw.token]);
      const now = t("lesson.dieHits", { token: hit, low: pct(draw.low), high: pct(draw.high) });
      die?.sync(Math.max(0, draw.die), { on: true, now, ignored: false });
      fromSeed.hidden = shown.bench.die === null;
    },
  };
}

/** @param {HTMLElement} host @param {Strip[]} strips */
function drawStrips(host, strips) {
  keyed(
    host,
    strips,
    (s) => s.key,
    () =>
      h(
        "div",
        { class: "strow" },
        h("p", { class: "rlabel" }),
        h("div", { class: "withline" }, h("div", { class: "strip", role: "img" })),
      ),
    (row, strip) => {
      const [label, box] = row.children;
      const [bar] = box.children;
      setText(label, strip.label);
      row.classList.toggle("of-model", strip.model);
      row.classList.toggle("slipped", strip.key === "slip");
      box.classList.toggle("lined", strip.lines.length > 0);
      setAttr(bar, "aria-label", inWords(strip));
      keyed(
        bar,
        strip.segments,
        (s) => s.key,
        () => h("span", {}, h("b", { dir: "auto" })),
        (piece, s, i) => {
          const kind = s.cut ? "removed" : s.chosen ? "chosen" : i % 2 ? "odd" : "even";
          setAttr(piece, "class", `piece ${kind}`);
          setAttr(piece, "title", `${s.word} ${pct(s.share, 2)}`);
          setStyle(piece, "--w", s.share);
          setText(/** @type {Node} */ (piece.firstChild), s.word);
        },
      );
      marks(box, strip);
    },
  );
}

/** The lines and the needle on a strip. @param {Element} box @param {Strip} strip */
function marks(box, { lines, die }) {
  for (const old of box.querySelectorAll(".blade, .pin")) old.remove();
  for (const { role, at, text } of lines) {
    const line = h("i", { class: `blade ${role}`, "aria-hidden": "true" }, h("b", {}, text));
    setStyle(line, "--at", at);
    box.append(line);
  }
  if (die === null) return;
  const pin = h("i", { class: "pin", "aria-hidden": "true" });
  setStyle(pin, "--at", die);
  box.append(pin);
}

/** @param {Strip} strip */
function inWords({ label, segments: parts, lines, die }) {
  const words = parts.map(
    (s) => `${s.word} ${pct(s.share, 2)}${s.cut ? `, ${t("lesson.cut")}` : ""}`,
  );
  const ends = [
    ...lines.map((l) => l.text),
    ...(die === null ? [] : [t("lesson.dieAt", { share: die })]),
  ];
  return `${label}: ${[...words, ...ends].join("; ")}.`;
}

/** The settings of one stage: its numbers, its lists, and a switch. */

import { createControl } from "./control.js";
import { $, h, setAttr, setText } from "./dom.js";
import { value } from "./format.js";
import { formula } from "./picker.js";
import { role, ties } from "./rows.js";
import { has, t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./settings.js").Stage} Stage
 * @typedef {import("./rows.js").Row} Row
 * @typedef {import("./control.js").Input} Input
 *
 * @typedef {object} Around what a stage's line speaks of besides itself
 * @property {Kind} strategy
 * @property {Row} [row] the stage's strip, where it has one
 * @property {string} reason why the engine passes it over; empty: it does not
 *
 * @typedef {object} Deps
 * @property {string} id
 * @property {Kind} kind
 * @property {(edit: (s: Stage) => Stage, how?: Input) => void} onChange
 */

/** Whether a strategy passes a stage over.
 * @param {Kind} kind @param {Around} around */
const isIgnored = (kind, { strategy, reason }) =>
  reason !== "" || (kind.warper && !strategy.samples);

/** What a stage does now, in one line.
 * @param {Stage} s @param {Kind} kind @param {Around} around */
function nowText(s, kind, around) {
  const { strategy, row, reason } = around;
  if (!s.on) return has(`off.${s.kind}`) ? t(`off.${s.kind}`) : t("off");
  if (kind.warper && !strategy.samples) return t("ctl.ignored", { strategy: strategy.label });
  if (reason) return t("ctl.ignoredAhead", { strategy: strategy.label });
  const v = s.args[s.kind];
  if (s.kind === "temperature") return temperatureText(v);
  if (has(`now.${s.kind}`)) return t(`now.${s.kind}`, { n: v, value: value(kind.params[0], v) });
  if (!row?.on || row.ignored) return "";
  const of = { n: row.count, n_of: row.count + row.cut };
  if (ties(row)) return t("now.ties", of);
  if (row.cut > 0) return t("now.keeps", of);
  return t(kind.group === "Cut" ? "now.keepsAll" : "now.cutsNone", { n: row.count });
}

/** @param {number} v */
function temperatureText(v) {
  if (v === 0) return t("now.temperature.zero");
  if (v === 1) return t("now.temperature.one");
  return t(v < 1 ? "now.temperature.low" : "now.temperature.high");
}

/** @param {Deps} deps */
export function createStagePart({ id, kind, onChange }) {
  const onToggle = (/** @type {boolean} */ on) => onChange((s) => ({ ...s, on }));
  const numbers = kind.params.filter((p) => p.type !== "sequences");
  const [main, ...others] = numbers.map((param, i) =>
    createControl({
      id: i ? `${id}-${param.name}` : id,
      param,
      label: i ? param.label || param.name : kind.label,
      letter: i ? "" : kind.letter,
      role: role(kind.name),
      doc: i ? param.doc : kind.doc,
      onToggle: i ? null : onToggle,
      onValue: (v, how) =>
        onChange((s) => ({ ...s, on: true, args: { ...s.args, [param.name]: v } }), how),
    }),
  );
  const lists = kind.params
    .filter((p) => p.type === "sequences")
    .map((param) => {
      const area = h("textarea", {
        class: "list",
        rows: 2,
        dir: "auto",
        spellcheck: false,
        "aria-label": `${kind.label}, ${param.label || param.name}`,
        placeholder: t("ctl.list"),
        oninput: () =>
          onChange((s) => ({ ...s, on: true, lists: { ...s.lists, [param.name]: area.value } })),
      });
      return { param, area };
    });
  const toggle = main ? null : createToggle(id, kind, onToggle);
  const more = h(
    "div",
    { class: "more", hidden: true },
    h("p", { class: "hint" }, kind.doc),
    formula(kind.formula),
    others.map((c) => c.el),
  );
  $(".hint", (main ?? toggle)?.el).append(createDisclosure(more));
  const el = h(
    "div",
    { class: "stagepart", "data-kind": kind.name },
    (main ?? toggle)?.el,
    more,
    lists.map((l) => h("div", { class: `ctl ${role(kind.name)}` }, l.area)),
  );

  return {
    el,
    /** @param {Stage} s @param {Around} around */
    sync(s, around) {
      const now = nowText(s, kind, around);
      const ignored = isIgnored(kind, around);
      toggle?.sync(s.on, now);
      for (const [i, p] of numbers.entries()) {
        const control = i ? others[i - 1] : main;
        control.sync(s.args[p.name] ?? p.default, { on: s.on, ignored, now: i ? p.doc : now });
      }
      for (const { param, area } of lists)
        if (document.activeElement !== area) area.value = s.lists[param.name] ?? "";
    },
  };
}

/** The button that shows the rarer numbers.
 * @param {HTMLElement} more */
function createDisclosure(more) {
  const button = h(
    "button",
    {
      type: "button",
      class: "linkbtn morebtn",
      "aria-expanded": "false",
      onclick() {
        more.hidden = !more.hidden;
        setAttr(button, "aria-expanded", String(!more.hidden));
      },
    },
    t("ctl.more"),
  );
  return button;
}

/** The row of a kind that has no numbers.
 * @param {string} id @param {Kind} kind @param {(on: boolean) => void} onToggle */
function createToggle(id, kind, onToggle) {
  const box = h("input", {
    type: "checkbox",
    class: "switch",
    role: "switch",
    id,
    onchange: () => onToggle(box.checked),
  });
  const now = h("span", { class: "now" });
  const sign = h("span", { class: "sym", "aria-hidden": "true" }, kind.letter);
  const name = h("label", { class: "name", htmlFor: id, title: kind.doc }, sign, kind.label);
  const el = h(
    "div",
    { class: `ctl ${role(kind.name)}` },
    box,
    name,
    h("p", { class: "hint" }, now),
  );
  return {
    el,
    /** @param {boolean} on @param {string} text */
    sync(on, text) {
      box.checked = on;
      el.classList.toggle("off", !on);
      setText(now, text);
    },
  };
}

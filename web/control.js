/**
 * One setting: a name, a number box, a native range and one line that says what
 * it does now; with a switch before it where it can be off.
 */

import { h, setAttr, setKids, setStyle, setText } from "./dom.js";
import { number, typed, value } from "./format.js";
import { createNumberBox } from "./numberbox.js";
import { nudge, place, valueAt } from "./scale.js";
import { accepts } from "./settings.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Param} Param
 *
 * @typedef {object} Input how a value was entered
 * @property {boolean} live more of it will follow: a drag
 * @property {number} stamp the time of the event
 *
 * @typedef {object} Options
 * @property {string} id of the range; the others are made from it
 * @property {Param} param
 * @property {string} label
 * @property {string} letter
 * @property {string} role
 * @property {string} doc
 * @property {((on: boolean) => void) | null} onToggle null: no switch
 * @property {(v: number, how: Input) => void} onValue
 *
 * @typedef {object} Control
 * @property {HTMLElement} el
 * @property {(v: number, how: {on: boolean, now: string, ignored: boolean}) => void} sync
 */

/** Places of a range that is not linear. */
const PLACES = 1000;

/** What a parameter accepts, in words.
 * @param {Param} p */
const rangeText = (p) =>
  p.type === "number" ? spanText(p) : t("range.wholeFrom", { range: spanText(p) });

/** @param {Param} p */
function spanText(p) {
  const key = p.openMin
    ? p.openMax
      ? "range.inside"
      : "range.above"
    : p.openMax
      ? "range.below"
      : "range.closed";
  if (Math.abs(p.max) >= 1e9)
    return t(p.openMin ? "range.over" : "range.atLeast", { min: number(p.min) });
  return t(key, { min: number(p.min), max: number(p.max) });
}

/** @param {Options} options @returns {Control} */
export function createControl(options) {
  const { param: p } = options;
  if (p.type === "choice" || p.type === "flag") return createChoice(options);
  return createSlider(options);
}

/** @param {Options} options @param {string} target */
const nameOf = ({ label, letter, doc }, target) =>
  h(
    "label",
    { htmlFor: target, class: "name", title: doc },
    letter ? h("span", { class: "sym", "aria-hidden": "true" }, letter) : null,
    label,
  );

/** @param {Options} options */
const switchOf = ({ id, label, onToggle }) =>
  onToggle &&
  h("input", {
    type: "checkbox",
    id: `${id}-on`,
    class: "switch",
    role: "switch",
    "aria-label": t("ctl.use", { label }),
    onchange: (/** @type {Event} */ e) =>
      onToggle(/** @type {HTMLInputElement} */ (e.target).checked),
  });

/** @param {Options} options @returns {Control} */
function createSlider(options) {
  const { id, param: p, label, role, onToggle, onValue } = options;
  const linear = p.scale !== "log" && p.scale !== "complement";
  let current = p.default;

  const toggle = switchOf(options);
  const box = h("input", {
    type: "number",
    id: `${id}-n`,
    step: "any",
    "aria-label": t("ctl.number", { label }),
    inputMode: p.type === "number" ? "decimal" : "numeric",
  });
  const range = h("input", { type: "range", id });
  Object.assign(
    range,
    linear ? { min: p.low, max: p.high, step: p.step || "any" } : { min: 0, max: PLACES, step: 1 },
  );
  const now = h("span", { class: "now" });
  const back = h("button", { type: "button", class: "linkbtn", hidden: true });
  const error = h("span", { class: "err", role: "alert" });
  const el = h(
    "div",
    { class: `ctl ${role}${toggle ? "" : " bare"}`, id: `${id}-ctl` },
    toggle,
    nameOf(options, id),
    box,
    h("div", { class: "track" }, range),
    h("p", { class: "hint" }, now, error, back),
  );

  const typing = createNumberBox({
    box,
    accepts: (v) => accepts(p, v),
    text: (v) => typed(p, v),
    onNumber(v, stamp) {
      current = v;
      onValue(v, { live: false, stamp });
    },
    onValid(good, counts) {
      setText(error, good ? "" : t("ctl.range", { label, range: rangeText(p) }));
      setText(back, t("ctl.back", { value: value(p, counts) }));
      back.hidden = good;
      now.hidden = !good;
    },
  });

  back.addEventListener("click", () => {
    typing.restore();
    box.focus();
  });
  /** Keys and "change" go on from here, though the value may not be drawn yet.
   * @param {number} v @param {Event} e */
  function move(v, e) {
    current = v;
    onValue(v, { live: true, stamp: e.timeStamp });
  }
  range.addEventListener("input", (e) => {
    typing.restore();
    move(linear ? Number(range.value) : valueAt(p, Number(range.value) / PLACES), e);
  });
  range.addEventListener("change", (e) => onValue(current, { live: false, stamp: e.timeStamp }));
  if (!linear) {
    const keys = /** @type {Record<string, number>} */ ({
      ArrowRight: 1,
      ArrowUp: 1,
      ArrowLeft: -1,
      ArrowDown: -1,
      PageUp: 10,
      PageDown: -10,
    });
    range.addEventListener("keydown", (e) => {
      if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
      e.preventDefault();
      move(nudge(p, current, keys[e.key]), e);
    });
  }

  return {
    el,
    sync(v, { on, now: text, ignored }) {
      current = v;
      el.classList.toggle("off", !on || ignored);
      if (toggle) toggle.checked = on;
      typing.sync(v);
      const at = place(p, v);
      const spot = linear
        ? String(Math.min(p.high, Math.max(p.low, v)))
        : String(Math.round(at * PLACES));
      if (
        range.value !== spot &&
        (linear || Math.abs(valueAt(p, Number(range.value) / PLACES) - v) > 1e-9)
      )
        range.value = spot;
      setStyle(el, "--fill", at);
      setText(now, text);
      const state =
        onToggle && !on
          ? t("ctl.valueOff", { label, value: value(p, v) })
          : `${label} ${value(p, v)}`;
      setAttr(range, "aria-valuetext", `${state}. ${text}`);
    },
  };
}

/** A flag is a switch, a choice is a menu.
 * @param {Options} options @returns {Control} */
function createChoice(options) {
  const { id, param: p, role, onValue } = options;
  const flag = p.type === "flag";
  const toggle = switchOf(options);
  const now = h("span", { class: "now" });
  const how = (/** @type {Event} */ e) => ({ live: false, stamp: e.timeStamp });
  const field = flag
    ? h("input", {
        type: "checkbox",
        id,
        class: "switch",
        role: "switch",
        onchange: (/** @type {Event} */ e) => onValue(Number(box().checked), how(e)),
      })
    : h(
        "select",
        { id, onchange: (/** @type {Event} */ e) => onValue(menu().selectedIndex, how(e)) },
        p.choices.map((c) => h("option", {}, c)),
      );
  const box = () => /** @type {HTMLInputElement} */ (field);
  const menu = () => /** @type {HTMLSelectElement} */ (field);
  const el = h(
    "div",
    { class: `ctl choice ${role}${toggle ? "" : " bare"}`, id: `${id}-ctl` },
    toggle,
    nameOf(options, id),
    field,
    h("p", { class: "hint" }, now),
  );
  return {
    el,
    sync(v, { on, now: text, ignored }) {
      el.classList.toggle("off", !on || ignored);
      if (toggle) toggle.checked = on;
      if (flag) box().checked = v !== 0;
      else menu().selectedIndex = v;
      setKids(now, text);
    },
  };
}

/** A task: what to reach, how it stands now, hints one by one, and what success says. */

import { h, icon, say, setAttr, setKids, setText } from "../dom.js";
import { fixed } from "../format.js";
import { has, t } from "../texts.js";
import { tell } from "./check.js";
import { inLanguage, plain, render } from "./text.js";
import { readVariable } from "./vars.js";

/**
 * @typedef {import("./catalog.js").Task} Task
 * @typedef {import("./check.js").Told} Told
 * @typedef {import("./check.js").Leaf} Leaf
 * @typedef {import("./vars.js").Facts} Facts
 *
 * @typedef {object} Deps
 * @property {string} id
 * @property {string} lang of its words
 * @property {number} number
 * @property {number} count
 * @property {boolean} solved earlier
 * @property {() => void} onSolved once
 * @property {() => void} onRestart
 * @property {() => void} [onSolution] plays the solution, where it may be shown
 */

/** @type {Record<string, string>} */
const SIGNS = { "==": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥" };

/** @param {unknown} v @returns {string} */
function written(v) {
  if (typeof v === "number")
    return Number.isInteger(v) ? String(v) : fixed(v, Math.abs(v) < 1 ? 4 : 2);
  if (typeof v === "boolean") return t(v ? "lesson.yes" : "lesson.no");
  if (v === null || v === undefined || v === "") return "–";
  if (Array.isArray(v)) return v.map(written).join(", ");
  return `“${v}”`;
}

/** A variable in words. @param {{var: string, token?: string, pane?: number, stage?: string, n?: number}} v @param {string[]} panes */
function named(v, panes) {
  const key = [`var.${v.var}`, `kind.${v.var}`, `param.${v.var}`].find(has);
  const name = key ? t(key) : v.var.replaceAll("_", " ");
  const of = v.token ?? v.stage ?? v.n;
  const pane = v.pane !== undefined && panes[v.pane] ? ` (${panes[v.pane]})` : "";
  return `${name}${of === undefined ? "" : ` ${of}`}${pane}`;
}

/** @param {Told} told @returns {Leaf[]} */
const leaves = (told) => ("comparison" in told ? [told] : told.parts.flatMap(leaves));

/** @param {Task} task @param {Deps} deps */
export function createTask(
  task,
  { id, lang, number, count, solved, onSolved, onRestart, onSolution },
) {
  const panes = task.panes?.map((p) => p.label) ?? [];
  let done = solved;
  let hints = 0;

  const standing = h("ul", { class: "standing" });
  const verdict = h("p", { class: "check open" }, icon("tune"), h("span", {}));
  const hintList = h("ol", { class: "hints" });
  const more = h("button", { type: "button", class: "btn", onclick: hint }, t("lesson.hint"));
  const solution = h(
    "button",
    { type: "button", class: "btn", hidden: !onSolution, onclick: solve },
    t("lesson.solution"),
  );
  const restart = h(
    "button",
    { type: "button", class: "btn quiet", onclick: onRestart },
    icon("back"),
    t("lesson.restart"),
  );
  const el = h(
    "section",
    { class: "panel task", "aria-labelledby": `${id}-task` },
    h(
      "h2",
      { id: `${id}-task` },
      count > 1 ? t("lesson.taskOf", { n: number, n_of: count }) : t("lesson.task"),
    ),
    h("p", inLanguage(lang), ...render(task.text)),
    h("details", { class: "standingbox" }, h("summary", {}, t("lesson.standing")), standing),
    verdict,
    hintList,
    h("div", { class: "acts" }, task.hints.length ? more : null, solution, restart),
  );
  drawHints();
  drawVerdict(null);

  function hint() {
    hintList.append(h("li", inLanguage(lang), ...render(task.hints[hints])));
    say(plain(task.hints[hints++]));
    drawHints();
  }
  function solve() {
    solution.hidden = more.hidden = true;
    onSolution?.();
  }
  function drawHints() {
    const left = task.hints.length - hints;
    more.hidden = left <= 0;
    setText(more, hints ? t("lesson.nextHint") : t("lesson.hint"));
  }

  /** @param {Told | null} told null: not known yet */
  function drawVerdict(told) {
    const good = done || told?.met;
    setAttr(verdict, "class", `check ${good ? "right" : "open"}`);
    const success = h("span", inLanguage(lang), ...render(task.success));
    const words = good ? [t("lesson.solved"), " ", success] : [standsAt(told)];
    setKids(verdict, icon(good ? "check" : "tune"), h("span", {}, ...words));
  }

  /** What is not met, with its value and without its target. @param {Told | null} told */
  function standsAt(told) {
    const open = (told ? leaves(told) : []).filter((l) => !l.met && l.now !== undefined);
    // A setting is on screen anyway; what it does says more.
    const leaf = open.find((l) => !task.start || !(l.comparison.var in task.start)) ?? open[0];
    if (!leaf || leaf.now === "") return t("lesson.notYet");
    return t("lesson.isNow", { name: named(leaf.comparison, panes), value: written(leaf.now) });
  }

  /** @param {Leaf} leaf */
  function line({ comparison: c, now, want, met }) {
    const sign = SIGNS[c.op] ?? t(`lesson.op.${c.op}`);
    const target = c.ref ? named(c.ref, panes) : written(want);
    return h(
      "li",
      { class: met ? "met" : "" },
      icon(met ? "check" : "close"),
      h("span", { class: "sr" }, t(met ? "lesson.met" : "lesson.unmet")),
      h("span", {}, `${named(c, panes)} ${sign} ${target}`),
      h("span", { class: "now num" }, t("lesson.now", { value: written(now) })),
    );
  }
  /** @param {Told} told @returns {HTMLElement} */
  function branch(told) {
    if ("comparison" in told) return line(told);
    return h(
      "li",
      { class: told.met ? "met" : "" },
      h("span", {}, t(`lesson.join.${told.joins}`)),
      h("ul", {}, told.parts.map(branch)),
    );
  }

  return {
    el,
    /** The next hint, and after the last the solution; false where all is shown. */
    reveal() {
      const step = more.hidden ? solution : more;
      if (step.hidden || (step === more && hints >= task.hints.length)) return false;
      step.click();
      return true;
    },
    /** Looks whether it is met. @param {(Facts | null)[]} facts */
    check(facts) {
      const told = tell(task.check, (v) => readVariable(facts, v));
      setKids(
        standing,
        "parts" in told && told.joins === "all" ? told.parts.map(branch) : branch(told),
      );
      if (told.met && !done) {
        done = true;
        say(`${t("lesson.solved")} ${plain(task.success)}`);
        onSolved();
      }
      drawVerdict(told);
    },
  };
}

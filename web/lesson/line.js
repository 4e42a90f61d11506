/** The text of a bench, token by token, and the steps that can be taken. */

import { h, icon, keyed, setAttr, setStyle, setText } from "../dom.js";
import { fixed, pct, spoken, stopText } from "../format.js";
import { inside, SURPRISE } from "../text.js";
import { t } from "../texts.js";
import { loopPeriod } from "./vars.js";

/**
 * @typedef {import("./vars.js").Facts} Facts
 *
 * @typedef {object} Deps
 * @property {() => void} onStep
 * @property {() => void} onRun starts or pauses
 * @property {() => void} onUndo
 * @property {(index: number | null) => void} onSee a token's step; null: the next one
 *
 * @typedef {object} How
 * @property {string} prompt
 * @property {boolean} acts whether steps can be taken here
 * @property {boolean} running
 * @property {number | null} seen
 * @property {boolean} surprise colour each token by its surprise
 * @property {boolean} loops mark what goes round
 */

/** @param {Deps} deps */
export function createLine({ onStep, onRun, onUndo, onSee }) {
  const given = h("span", { class: "given" });
  const drawn = h("span");
  const slot = h(
    "span",
    { class: "tok slot" },
    h("span", { class: "sr" }, t("text.next")),
    h("span", { "aria-hidden": "true" }, "?"),
  );
  const end = h("span", { class: "end", hidden: true });
  const text = h("div", { class: "text", dir: "auto" }, given, " ", drawn, slot, end);
  const step = h(
    "button",
    { type: "button", class: "btn", onclick: onStep },
    icon("play"),
    h("span"),
  );
  const runSign = h("span", { class: "sign" });
  const runLabel = h("span", {});
  const run = h("button", { type: "button", class: "btn", onclick: onRun }, runSign, runLabel);
  const undo = h(
    "button",
    { type: "button", class: "btn", onclick: onUndo },
    icon("back"),
    t("step.undo"),
  );
  const back = h(
    "button",
    { type: "button", class: "btn quiet", onclick: () => onSee(null) },
    t("step.back"),
  );
  const facts = h("p", { class: "linefacts num" });
  const acts = h("div", { class: "acts lineacts" }, run, step, undo, back);
  const el = h("div", { class: "lessonline" }, text, facts, acts);

  return {
    el,
    /** @param {Facts} f @param {How} how */
    draw(f, { prompt, acts: withActs, running, seen, surprise, loops }) {
      const { text: steps, stop } = f.status;
      const fresh = steps.slice(f.taken);
      const loop = loops ? loopAt(fresh.map((s) => s.id)) : null;
      setText(given, prompt);
      keyed(
        drawn,
        steps,
        (s, i) => `${i}:${s.id}`,
        (s, i) =>
          h("button", { type: "button", dir: "auto", onclick: () => onSee(i) }, ...inside(s)),
        (token, s, i) => {
          const own = i >= f.taken;
          const classes = ["tok", own ? "gen" : "gen taken"];
          if (s.die < 0) classes.push("sure");
          if (i === seen) classes.push("seen");
          if (own && s.forced) classes.push("forced");
          const n = i - f.taken;
          if (loop && n >= loop.from)
            classes.push("loop", Math.floor((n - loop.from) / loop.period) % 2 ? "odd" : "even");
          setAttr(token, "class", classes.join(" "));
          setAttr(token, "aria-pressed", String(i === seen));
          setAttr(
            token,
            "title",
            t("lesson.tokenTitle", { share: s.modelProb, bits: fixed(s.surprise, 1) }),
          );
          setAttr(
            token,
            "aria-label",
            t("text.token", { token: spoken(s), n: i + 1, share: s.prob }),
          );
          setStyle(token, "--lo", s.low);
          setStyle(token, "--hi", s.high);
          setStyle(token, "--s", surprise ? Math.min(1, s.surprise / SURPRISE) : 0);
        },
      );
      slot.hidden = stop !== "" || seen !== null;
      end.hidden = stop === "";
      setText(end, stop ? stopText(f.status) : "");
      acts.hidden = !withActs;
      const done = stop !== "";
      step.toggleAttribute("disabled", done || running);
      run.toggleAttribute("disabled", done);
      undo.toggleAttribute("disabled", steps.length <= f.taken || running);
      back.hidden = seen === null;
      setText(/** @type {Node} */ (step.lastChild), t("lesson.step"));
      setText(runLabel, t(running ? "step.pause" : "compare.run"));
      const sign = icon(running ? "pause" : "play");
      if (!runSign.firstChild?.isEqualNode(sign)) runSign.replaceChildren(sign);
      setText(facts, told(fresh, loop));
    },
  };
}

/** Where the loop at the end begins, and its period. @param {number[]} ids */
function loopAt(ids) {
  const period = loopPeriod(ids);
  if (!period) return null;
  let from = ids.length - 3 * period;
  while (from > 0 && ids[from - 1] === ids[from - 1 + period]) from--;
  return { period, from };
}

/** What can be said of a text. @param {import("../api.d.ts").Step[]} steps @param {{period: number} | null} loop */
function told(steps, loop) {
  if (!steps.length) return "";
  const sum = steps.reduce((bits, s) => bits + s.surprise, 0);
  const parts = [
    t("tokens", { n: steps.length }),
    t("lesson.textProb", { prob: pct(2 ** -sum, 2) }),
    t("lesson.textBits", { bits: fixed(sum / steps.length, 1) }),
  ];
  if (loop) parts.push(t("lesson.loop", { n: loop.period }));
  return parts.join(" · ");
}

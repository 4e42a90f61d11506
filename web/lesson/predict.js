/** A prediction: the question, the guess, and what is right. */

import { h, icon, say, setKids, setStyle } from "../dom.js";
import { number } from "../format.js";
import { rich, t } from "../texts.js";
import { inLanguage, render } from "./text.js";

/**
 * @typedef {import("./catalog.js").Prediction} Prediction
 *
 * @typedef {object} Deps
 * @property {string} id
 * @property {string} lang of its words
 * @property {number | null | undefined} guess an earlier one; null: skipped, undefined: none
 * @property {boolean} presenting the answer is shown to a room: nothing is kept
 * @property {() => number | undefined} answer of a number that is read from the picture
 * @property {(guess: number | null) => void} onGuess null: skipped
 */

/**
 * @param {Prediction} prediction
 * @param {Deps} deps
 */
export function createPrediction(prediction, { id, lang, guess, presenting, answer, onGuess }) {
  /** @type {number | null} */
  let chosen = null;
  const words = inLanguage(lang);
  const result = h("div", { class: "guessresult", tabIndex: -1 });
  const look = h(
    "button",
    {
      type: "button",
      class: "btn primary",
      disabled: !presenting,
      onclick: () => settle(presenting ? null : chosen),
    },
    t(presenting ? "lesson.reveal" : "lesson.look"),
  );
  const skip = h(
    "button",
    { type: "button", class: "btn quiet", onclick: () => settle(null) },
    t("lesson.skip"),
  );
  const field =
    prediction.type === "choice" ? choices(prediction.choices) : amount(prediction.unit);
  const el = h(
    "section",
    { class: "panel task guess", "aria-labelledby": `${id}-guess` },
    h("h2", { id: `${id}-guess` }, t("lesson.guess")),
    h("p", { id: `${id}-question`, ...words }, ...render(prediction.question)),
    field.el,
    h("div", { class: "acts guessacts" }, look, presenting ? null : skip),
    result,
  );

  /** @param {string[]} list */
  function choices(list) {
    const boxes = list.map((_, i) =>
      h("input", {
        type: "radio",
        name: `${id}-choice`,
        value: String(i),
        onchange: () => choose(i),
      }),
    );
    return {
      el: h(
        "div",
        { class: "opts", role: "radiogroup", "aria-labelledby": `${id}-question` },
        list.map((text, i) =>
          h("label", { class: "opt" }, boxes[i], h("span", words, ...render(text))),
        ),
      ),
      show(/** @type {number} */ v) {
        if (boxes[v]) boxes[v].checked = true;
      },
      lock: () => {
        for (const box of boxes) box.disabled = true;
      },
    };
  }

  /** @param {string} [unit] */
  function amount(unit) {
    const box = h("input", {
      type: "number",
      step: "any",
      id: `${id}-number`,
      "aria-labelledby": `${id}-question`,
      oninput: () => choose(Number.isFinite(box.valueAsNumber) ? box.valueAsNumber : null),
      onkeydown(/** @type {KeyboardEvent} */ e) {
        if (e.key === "Enter" && chosen !== null) settle(chosen);
      },
    });
    return {
      el: h("div", { class: "opts" }, box, unit ? h("span", words, unit) : null),
      show: (/** @type {number} */ v) => {
        box.value = String(v);
      },
      lock: () => {
        box.disabled = true;
      },
    };
  }

  /** @param {number | null} v */
  function choose(v) {
    chosen = v;
    look.disabled = v === null && !presenting;
  }

  /** @param {number | null} v */
  function settle(v) {
    onGuess(v);
    reveal(v);
    result.focus(); // the button that had it is gone
    const told = result.querySelector(".result");
    if (told?.textContent) say(told.textContent);
  }

  /** What is right, and the guess beside it. @param {number | null} v */
  function reveal(v) {
    field.lock();
    look.hidden = skip.hidden = true;
    const { right, wrong } = prediction.feedback;
    if (prediction.type === "choice") {
      const good = v === prediction.answer;
      const answer = h("bdi", words, ...render(prediction.choices[prediction.answer]));
      return good
        ? verdict(v, true, right)
        : verdict(v, false, wrong, rich("lesson.rightIs", { answer }));
    }
    const truth = prediction.answer ?? answer();
    if (truth === undefined) return verdict(v, false, wrong);
    const good = v !== null && Math.abs(v - truth) <= prediction.tolerance;
    verdict(v, good, good ? right : wrong);
    result.append(scale(v, truth, prediction.unit ?? ""));
  }

  /** @param {number | null} v @param {boolean} good @param {string} feedback
   * @param {(string | Node)[]} [truth] what is right, in a sentence */
  function verdict(v, good, feedback, truth = []) {
    const kind = v === null ? "told" : good ? "right" : "wrong";
    const lead = v === null || good ? "" : `${t("lesson.wrong")} `;
    setKids(
      result,
      h(
        "p",
        { class: `result ${kind}` },
        icon(good ? "check" : v === null ? "die" : "cut"),
        h(
          "span",
          {},
          lead,
          ...truth,
          truth.length ? " " : "",
          h("span", words, ...render(feedback)),
        ),
      ),
    );
  }

  if (guess !== undefined && !presenting) {
    if (guess !== null) field.show(guess);
    reveal(guess);
  }
  return {
    el,
    /** Reveals the answer; false where it is there already. */
    reveal() {
      if (look.hidden) return false;
      settle(presenting ? null : chosen);
      return true;
    },
  };
}

/** What stands in the picture's place until there is a guess. */
export const curtain = () =>
  h(
    "div",
    { class: "curtain" },
    h(
      "div",
      { class: "strip", "aria-hidden": "true" },
      h("span", { class: "piece void", style: { "--w": 1 } }),
    ),
    h("p", { class: "hint" }, t("lesson.gate")),
  );

/** The guess and the truth on one line. @param {number | null} guess @param {number} truth @param {string} unit */
function scale(guess, truth, unit) {
  const end = Math.max(truth, guess ?? 0, 0) * 1.15 || 1;
  const start = Math.min(0, guess ?? 0, truth);
  const mark = (
    /** @type {string} */ cls,
    /** @type {number} */ v,
    /** @type {string} */ label,
  ) => {
    const el = h(
      "span",
      { class: `mark ${cls}` },
      h("b", {}, `${label} ${number(v)} ${unit}`.trim()),
    );
    setStyle(el, "--at", (v - start) / (end - start));
    return el;
  };
  return h(
    "div",
    { class: "guessline" },
    guess === null ? null : mark("mine", guess, t("lesson.yours")),
    mark("true", truth, t("lesson.truth")),
  );
}

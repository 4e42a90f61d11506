/** The step bar: why this token, and what can be done here. */

import { $, h, icon, setAttr, setKids, setText } from "./dom.js";
import { fixed, pct, word } from "./format.js";
import { has, rich, t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./api.d.ts").Status} Status
 *
 * @typedef {object} Deps
 * @property {() => void} onStep
 * @property {() => void} onRun starts or pauses
 * @property {() => void} onUndo
 * @property {(on: boolean) => void} onSurprise
 * @property {() => void} onRewind
 * @property {() => void} onFork
 * @property {() => void} onBack
 * @property {() => void} onThrow gives the die back to the seed
 */

export const RUN = 20;

/** One sentence: how the token of this step is chosen, and why not the top one.
 * @param {View} view @param {Kind} strategy @returns {(string | Node)[]} */
function why({ draw, tokens, numbers }, strategy) {
  const name = (/** @type {number} */ i) => h("mark", {}, h("bdi", {}, word(tokens[i])));
  if (draw.forced && draw.token >= 0) return rich("why.forced", { token: name(draw.token) });
  if (draw.thrown && draw.token >= 0) {
    const place = {
      die: h("b", {}, pct(draw.die)),
      token: name(draw.token),
      low: pct(draw.low),
      high: pct(draw.high),
    };
    if (draw.token === draw.top) return rich("why.dieTop", place);
    return rich("why.die", { ...place, top: name(draw.top), end: pct(draw.topEnd) });
  }
  if (numbers.kept_count === 0 && draw.token < 0) return [t("why.nothing")];
  if (strategy.beams)
    return rich("why.beams", { link: h("a", { href: "#beams" }, t("nav.beams")) });
  if (draw.token < 0) return [strategy.doc];
  const own = `why.of.${strategy.name}`;
  if (has(own)) return rich(own, { token: name(draw.token) });
  if (draw.token === draw.top)
    return rich("why.top", { strategy: strategy.label, token: name(draw.token) });
  return rich("why.other", { strategy: strategy.label, token: name(draw.token) });
}

/** @param {HTMLElement} root @param {Deps} deps */
export function createStep(root, deps) {
  const button = (
    /** @type {string} */ cls,
    /** @type {Parameters<typeof icon>[0] | null} */ sign,
    /** @type {string} */ label,
    /** @type {() => void} */ onclick,
  ) => {
    const short = h("span", { class: "short" }, label);
    return h(
      "button",
      { type: "button", class: `btn ${cls}`, onclick },
      sign ? icon(sign) : null,
      short,
    );
  };
  const drawButton = h(
    "button",
    { type: "button", class: "btn primary", onclick: deps.onStep },
    icon("die"),
    h("span", { class: "label" }),
  );
  const run = button("runbtn", "play", "", deps.onRun);
  const undo = button("", "back", t("step.undo"), deps.onUndo);
  const surprise = button("quiet toggle", "surprise", t("step.surprise"), () => {
    const on = surprise.getAttribute("aria-pressed") !== "true";
    setAttr(surprise, "aria-pressed", String(on));
    deps.onSurprise(on);
  });
  setAttr(surprise, "aria-pressed", "false");
  setAttr(surprise, "title", t("step.surpriseDoc"));
  const next = h("div", { class: "stepacts next" }, drawButton, run, undo, surprise);

  const where = h("span", { class: "where num" });
  const past = h(
    "div",
    { class: "stepacts past", hidden: true },
    where,
    button("rewindbtn", "back", t("step.rewind"), deps.onRewind),
    button("forkbtn", "fork", t("step.fork"), deps.onFork),
    h(
      "button",
      { type: "button", class: "btn quiet backbtn", onclick: deps.onBack },
      t("step.back"),
    ),
  );
  root.append(next, past);
  const sentence = $(".why", root);
  const thrown = h(
    "button",
    { type: "button", class: "linkbtn", onclick: deps.onThrow },
    t("die.back"),
  );

  return {
    /** Shows that there is no step to take. */
    none() {
      setKids(sentence);
      setText($(".label", drawButton), t("step.draw"));
      setText($(".short", run), t("step.run", { n: RUN }));
      next.hidden = false;
      past.hidden = true;
      for (const b of [drawButton, run, undo]) b.disabled = true;
    },

    /** @param {View} view @param {Kind} strategy @param {boolean} byHand the die was set so */
    why(view, strategy, byHand) {
      setKids(sentence, ...why(view, strategy));
      if (byHand && view.draw.thrown) sentence.append(" ", thrown);
    },

    /**
     * @param {Status} status
     * @param {{seen: number | null, running: boolean, refused: boolean, samples: boolean}} how
     */
    update(status, { seen, running, refused, samples }) {
      const focused = root.contains(document.activeElement);
      next.hidden = seen !== null;
      past.hidden = seen === null;
      setText($(".label", drawButton), t(samples ? "step.draw" : "step.take"));
      const stopped = refused || status.stop !== "";
      for (const b of [drawButton, run]) b.toggleAttribute("disabled", stopped);
      undo.toggleAttribute("disabled", status.steps === 0);
      setText($(".short", run), running ? t("step.pause") : t("step.run", { n: RUN }));
      const sign = icon(running ? "pause" : "play");
      if (!run.firstElementChild?.isEqualNode(sign)) run.firstElementChild?.replaceWith(sign);
      if (seen !== null) {
        const { rank, surprise: bits } = status.text[seen];
        setText(
          where,
          t("step.where", {
            n: seen + 1,
            n_of: status.text.length,
            n_rank: rank,
            bits: fixed(bits, 1),
          }),
        );
      }
      // What had the focus may just have been hidden or disabled.
      const at = document.activeElement;
      if (focused && (!at || at === document.body || at.closest("[hidden], :disabled")))
        /** @type {HTMLElement | null} */ (
          root.querySelector(".stepacts:not([hidden]) .btn:not(:disabled)")
        )?.focus();
    },
  };
}

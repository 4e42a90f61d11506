/** What came of a text so far: its numbers, what it cost, and the texts that a search has finished. */

import { $, h, keyed, setAttr, setText } from "./dom.js";
import { fixed, show, stopText } from "./format.js";
import { reasonInWords } from "./reasons.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Status} Status
 * @typedef {import("./api.d.ts").Metrics} Metrics
 */

/** @param {HTMLElement} root the sentence */
export function createOutcome(root) {
  const numbers = h("p", { class: "hint num" });
  const cost = h("p", { class: "hint num" });
  const endings = h("ol", { class: "endings" });
  const about = h("p", { class: "hint" }, t("outcome.endings"));
  /** Shows that there is no text. */
  const none = () => {
    for (const part of [numbers, cost, about, endings]) part.hidden = true;
  };
  none();
  const el = h("div", { class: "outcome" }, numbers, cost, about, endings);
  $(".text", root).after(el);

  return {
    none,
    /** @param {Status} status */
    update({ text, rounds, cost: spent, endings: list, stop, stopDoc }) {
      const guessed = rounds.reduce((sum, r) => sum + r.guessed.length, 0);
      const taken = rounds.reduce((sum, r) => sum + r.accepted, 0);
      cost.hidden = !rounds.length;
      if (rounds.length)
        setText(
          cost,
          t("outcome.cost", {
            n: text.length,
            n_passes: spent.passes,
            ratio: fixed(text.length / Math.max(1, spent.passes), 1),
            n_taken: taken,
            n_guessed: guessed,
            n_draft: spent.draftPasses,
          }),
        );
      endings.hidden = about.hidden = !list.length;
      setAttr(endings, "title", list.length && stop ? reasonInWords(stopDoc) : null);
      keyed(
        endings,
        list,
        (_, i) => String(i),
        () => h("li", {}, h("b", { class: "num" }), h("span", { dir: "auto" }), h("em")),
        (li, e) => {
          setAttr(li, "class", e.returned ? "returned" : "");
          setText($("b", li), fixed(e.final, 2));
          setText($("span", li), e.tokens.map(show).join(""));
          setText($("em", li), stopText(e));
          setAttr(li, "title", reasonInWords(e.stopDoc));
        },
      );
    },
    /** @param {Metrics | null} m null: there is no text yet */
    numbers(m) {
      numbers.hidden = !m?.tokens;
      if (!m?.tokens) return;
      setText(
        numbers,
        t("outcome.numbers", {
          n: m.tokens,
          logprob: fixed(m.mean_logprob, 2),
          perplexity: fixed(m.perplexity, 1),
          one: fixed(m.distinct_1, 2),
          two: fixed(m.distinct_2, 2),
          three: fixed(m.distinct_3, 2),
          share: m.repeated_4,
        }),
      );
    },
  };
}

/** The die of the next step in the hand: a native range laid over the scale of the last strip. */

import { h, setAttr } from "./dom.js";
import { pct } from "./format.js";
import { t } from "./texts.js";

/** A die stays below 1. */
const STEPS = 1000;

/**
 * @param {HTMLElement} root the box of the strips
 * @param {{onDie: (die: number, how: import("./control.js").Input) => void}} deps
 */
export function createDie(root, { onDie }) {
  const set = (/** @type {boolean} */ live) => (/** @type {Event} */ e) =>
    onDie(Number(range.value) / STEPS, { live, stamp: e.timeStamp });
  const range = h("input", {
    type: "range",
    class: "diedrag",
    min: 0,
    max: STEPS - 1,
    step: 1,
    hidden: true,
    title: t("die.drag"),
    "aria-label": t("die.name"),
    oninput: set(true),
    onchange: set(false),
  });
  root.append(range);

  return {
    /** @param {number | null} die null: none is thrown here, or it lies already
     * @param {string} token what it hits, as it is spoken */
    update(die, token) {
      range.hidden = die === null;
      if (die === null) return;
      const place = String(Math.floor(die * STEPS));
      if (range.value !== place) range.value = place;
      setAttr(range, "aria-valuetext", t("die.hits", { die: pct(die), token }));
    },
  };
}

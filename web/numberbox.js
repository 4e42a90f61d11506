/**
 * What is typed in a box for a number, until it is meant. A number in range
 * counts at once; with one that is not, the number from before the typing comes
 * back, for the digits on the way to it ("1" of "1e999") were not meant, and the
 * text stays as it was typed until it is mended or the number changes elsewhere.
 *
 * @typedef {object} Options
 * @property {HTMLInputElement} box
 * @property {(v: number) => boolean} accepts NaN, when the text is no number
 * @property {(v: number, stamp: number) => void} onNumber
 * @property {(good: boolean, now: number) => void} [onValid] whether the text
 *   is accepted, and the number that counts
 * @property {(v: number) => string} [text] of a number
 * @property {number} [empty] what an empty box means; else it is refused
 */

import { $$, setAttr } from "./dom.js";

/** Shows what counts in all boxes of a page that refuse what is typed: a link was followed. */
export function restoreNumbers() {
  for (const box of $$("[aria-invalid]")) box.dispatchEvent(new Event("reset"));
}

/** @param {Options} options */
export function createNumberBox({
  box,
  accepts,
  onNumber,
  onValid = () => {},
  text = String,
  empty = Number.NaN,
}) {
  let now = Number.NaN; // what counts
  let before = now; // what counted before the typing

  const typed = () => (box.value === "" && !box.validity.badInput ? empty : box.valueAsNumber);
  /** @param {boolean} good */
  function judge(good) {
    setAttr(box, "aria-invalid", good ? null : "true");
    onValid(good, now);
  }
  // A browser in English drops the comma of "0,5" and reads 5.
  box.addEventListener("beforeinput", (e) => {
    if (!e.data?.includes(",")) return;
    e.preventDefault();
    document.execCommand("insertText", false, e.data.replace(",", "."));
  });
  box.addEventListener("input", (e) => {
    const v = typed();
    const good = accepts(v);
    const next = good ? v : before;
    const changed = next !== now;
    now = next;
    judge(good);
    if (changed) onNumber(next, e.timeStamp);
  });
  box.addEventListener("change", () => {
    before = now;
  });
  /** @param {number} v */
  function show(v) {
    now = v;
    before = v;
    box.value = text(v);
    judge(true);
  }

  /** Takes what counts in place of what is typed. */
  const restore = () => show(now);
  box.addEventListener("reset", restore);

  return {
    /** Shows a number, unless it is what is being typed. @param {number} v */
    sync(v) {
      const typing = document.activeElement === box && typed() === v;
      const refused = box.hasAttribute("aria-invalid") && v === now;
      if (!typing && !refused) show(v);
    },
    restore,
  };
}

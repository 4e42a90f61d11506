/** A box for a number from one to another, with the line that says so when it is not. */

import { h, setText } from "./dom.js";
import { number } from "./format.js";
import { createNumberBox } from "./numberbox.js";
import { t } from "./texts.js";

/**
 * @param {object} options
 * @param {HTMLInputElement} [options.box] one that is there; else it is made
 * @param {string} options.label
 * @param {number} options.low
 * @param {number} options.high
 * @param {boolean} [options.whole]
 * @param {number} [options.empty] what an empty box means, and how it is shown
 * @param {(v: number) => void} options.onNumber
 */
export function createNumberField({ box, label, low, high, whole = true, empty, onNumber }) {
  const field = box ?? h("input", { type: "number" });
  field.step = whole ? "1" : "any";
  field.inputMode = whole ? "numeric" : "decimal";
  const error = h("p", { class: "hint err", role: "alert" });
  const closed = t("range.closed", { min: low, max: number(high) });
  const range = whole ? t("range.wholeFrom", { range: closed }) : closed;
  const refusal = t("ctl.range", { label, range });
  const { sync } = createNumberBox({
    box: field,
    empty,
    accepts: (v) => v >= low && v <= high && (!whole || Number.isInteger(v)),
    text: (v) => (v === empty ? "" : String(v)),
    onNumber,
    onValid: (good) => setText(error, good ? "" : refusal),
  });
  return { field, error, sync };
}

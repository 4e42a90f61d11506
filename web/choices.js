/** A few numbers to choose among. What else a link or a host asked for stands with them while it counts. */

import { h, keyed, setAttr } from "./dom.js";

/**
 * @typedef {object} Options
 * @property {number[]} offered
 * @property {(n: number) => string} label
 * @property {(n: number) => void} onNumber
 */

/** @param {number[]} offered @param {number} now */
const withOther = (offered, now) => [...new Set([...offered, now])].sort((a, b) => a - b);

/** @param {HTMLElement} select @param {Options} options */
export function createNumberMenu(select, { offered, label, onNumber }) {
  const menu = /** @type {HTMLSelectElement} */ (select);
  menu.addEventListener("change", () => onNumber(Number(menu.value)));
  /** @param {number} now */
  return (now) => {
    const make = (/** @type {number} */ n) => h("option", { value: n }, label(n));
    keyed(menu, withOther(offered, now), String, make, () => {});
    menu.value = String(now);
  };
}

/** Buttons, of which one is pressed. @param {HTMLElement} row @param {Options} options */
export function createNumberButtons(row, { offered, label, onNumber }) {
  /** @param {number} now */
  return (now) => {
    const make = (/** @type {number} */ n) =>
      h("button", { type: "button", onclick: () => onNumber(n) }, label(n));
    keyed(row, withOther(offered, now), String, make, (button, n) =>
      setAttr(button, "aria-pressed", String(n === now)),
    );
  };
}

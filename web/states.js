/**
 * What a view shows while there is nothing, not yet, or no longer something to
 * show: a strip tells the state, a sentence says it, a button leads on.
 */

import { $, h, icon, keyed, setAttr, setStyle, setText } from "./dom.js";

/**
 * @typedef {object} Action
 * @property {string} label
 * @property {() => void} run
 * @property {boolean} [main]
 * @property {Parameters<typeof icon>[0]} [icon]
 *
 * @typedef {object} State
 * @property {string} title
 * @property {string} text
 * @property {number | null} [done] 0 to 1: how much of the strip is there; null: unknown yet
 * @property {boolean} [broken] the rest is missing, not to come
 * @property {Action[]} [actions]
 * @property {string} [about] what it is about, for style sheets
 */

export function createStateCard() {
  const have = h("span", { class: "piece even" });
  const rest = h("span", { class: "piece void" });
  const strip = h(
    "div",
    { class: "strip loadstrip", role: "progressbar", "aria-valuemin": 0, "aria-valuemax": 100 },
    have,
    rest,
  );
  const el = h(
    "section",
    { class: "state", hidden: true },
    strip,
    h("h2"),
    h("p", { role: "status" }),
    h("div", { class: "acts" }),
  );

  return {
    el,
    /** Puts the card into a view, over what is there.
     * @param {HTMLElement} host */
    moveTo(host) {
      if (el.parentElement !== host) host.append(el);
      host.classList.toggle("stated", !el.hidden);
    },
    /** @param {State} state */
    show({ title, text, done = 0, broken = false, actions = [], about = "" }) {
      el.dataset.about = about;
      el.hidden = false;
      el.parentElement?.classList.add("stated");
      setText($("h2", el), title);
      setText($("p", el), text);
      setStyle(have, "--w", done ?? 0);
      setStyle(rest, "--w", 1 - (done ?? 0));
      have.hidden = !done;
      strip.classList.toggle("broken", broken);
      strip.classList.toggle("unknown", done === null);
      setAttr(strip, "aria-label", title);
      setAttr(strip, "aria-valuenow", done === null ? null : Math.round(100 * done));
      keyed(
        $(".acts", el),
        actions,
        (a) => `${a.label}`,
        (a) => h("button", { type: "button" }, a.icon ? icon(a.icon) : null, a.label),
        (button, a) => {
          setAttr(button, "class", `btn ${a.main ? "primary" : ""}`);
          button.onclick = a.run;
        },
      );
    },
    hide() {
      el.hidden = true;
      el.parentElement?.classList.remove("stated");
    },
    get shown() {
      return !el.hidden;
    },
  };
}

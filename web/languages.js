/** The language menu: the languages by their own names. */

import { $, h, setAttr, setText } from "./dom.js";
import { addressIn, keep, LANGUAGES } from "./language.js";
import { language } from "./texts.js";

/**
 * @param {HTMLElement} root the header
 * @param {{onLeave: () => void}} deps onLeave brings the address up to date
 */
export function createLanguages(root, { onLeave }) {
  setText($(".langbtn span", root), language.toUpperCase());
  const links = Object.entries(LANGUAGES).map(([name, label]) => {
    const link = h("a", { lang: name, hreflang: name, href: addressIn(name) }, label);
    link.addEventListener("click", () => {
      keep(name);
      onLeave();
      link.href = addressIn(name); // the fragment has changed since
    });
    if (name === language) setAttr(link, "aria-current", "true");
    return h("li", {}, link);
  });
  $("#languages ul", root).append(...links);
}

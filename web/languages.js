/** The language menu: the languages by their own names. */

import { $, h, setAttr, setText } from "./dom.js";
import { addressIn, keep, LANGUAGES } from "./language.js";
import { language } from "./texts.js";

/** @param {HTMLElement} root the header */
export function createLanguages(root) {
  setText($(".langbtn span", root), language.toUpperCase());
  const links = Object.entries(LANGUAGES).map(([name, label]) => {
    const link = h("a", { lang: name, hreflang: name, href: addressIn(name) }, label);
    link.addEventListener("click", () => {
      keep(name);
      link.href = addressIn(name); // the fragment has changed since
    });
    if (name === language) setAttr(link, "aria-current", "true");
    return h("li", {}, link);
  });
  $("#languages ul", root).append(...links);
}

/** The pictures of a view that can be taken along. */

import { boxFile } from "./boxfile.js";
import { svgFile } from "./svgfile.js";

/**
 * @typedef {object} Picture
 * @property {string} name
 * @property {() => {text: string, width: number, height: number}} file as SVG
 */

/** Pictures that are no SVG on screen. */
const BOXES = ".drawpicture, .grownbox .tiers";

/** @param {ParentNode} view @returns {Picture[]} */
export function picturesOf(view) {
  const drawn = /** @type {NodeListOf<SVGSVGElement>} */ (view.querySelectorAll("svg:not(.icon)"));
  const boxes = /** @type {NodeListOf<HTMLElement>} */ (view.querySelectorAll(BOXES));
  const shown = (/** @type {Element} */ el) => el.getBoundingClientRect().width >= 100;
  return [
    ...[...boxes]
      .filter(shown)
      .map((el) => ({ name: nameOf(el), file: () => boxFile(el, nameOf(el)) })),
    ...[...drawn].filter(shown).map((el) => ({ name: nameOf(el), file: () => svgFile(el) })),
  ];
}

/** @param {Element} picture */
function nameOf(picture) {
  const part = picture.closest("figure, section[aria-labelledby], section[aria-label]");
  const title = part?.querySelector("h2, h3, figcaption")?.textContent;
  return title || part?.getAttribute("aria-label") || picture.getAttribute("aria-label") || "";
}

/** The pictures of a view that can be taken along. */

import { boxFile, groundOf } from "./boxfile.js";
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
    ...[...drawn].filter(shown).map((el) => ({ name: nameOf(el), file: () => fileOf(el) })),
  ];
}

/** @param {Element} picture */
function nameOf(picture) {
  const part = picture.closest("figure, section[aria-labelledby], section[aria-label]");
  const title = part?.querySelector("h2, h3, figcaption span")?.textContent;
  const letter = picture.closest(".pane")?.querySelector(".letter")?.textContent;
  const name = title || part?.getAttribute("aria-label") || picture.getAttribute("aria-label");
  return [letter, name].filter(Boolean).join(": ");
}

/** A drawn picture; the strips of the stages with the names that stand beside them.
 * @param {SVGSVGElement} picture */
function fileOf(picture) {
  const stops = /** @type {HTMLElement | null | undefined} */ (
    picture.closest(".cascade")?.querySelector(".stops")
  );
  if (!stops) return svgFile(picture);
  const parts = [
    { el: picture, text: svgFile(picture).text },
    { el: stops, text: boxFile(stops, "", { ground: false }).text },
  ].map((part) => ({ ...part, box: part.el.getBoundingClientRect() }));
  const left = Math.min(...parts.map(({ box }) => box.left));
  const top = Math.min(...parts.map(({ box }) => box.top));
  const width = Math.max(...parts.map(({ box }) => box.right)) - left;
  const height = Math.max(...parts.map(({ box }) => box.bottom)) - top;
  const placed = parts.map(({ text, box }) =>
    text.replace("<svg ", `<svg x="${box.left - left}" y="${box.top - top}" `),
  );
  const ground = `<rect width="100%" height="100%" fill="${groundOf(picture)}"/>`;
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  const text = `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${ground}${placed.join("")}</svg>`;
  return { text, width, height };
}

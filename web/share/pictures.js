/** The pictures of a view that can be taken along. */

import { boxCopy, groundOf } from "./boxfile.js";
import { element, svgCopy } from "./svgfile.js";

/**
 * @typedef {object} Picture
 * @property {string} name
 * @property {() => {text: string, width: number, height: number}} file as SVG
 */

/** Pictures that are no SVG on screen. */
const BOXES = ".drawpicture, .grownbox .tiers";
/** Room around a picture in a file, px. */
const MARGIN = 16;

/** @param {ParentNode} view @returns {Picture[]} */
export function picturesOf(view) {
  const drawn = /** @type {NodeListOf<SVGSVGElement>} */ (view.querySelectorAll("svg:not(.icon)"));
  const boxes = /** @type {NodeListOf<HTMLElement>} */ (view.querySelectorAll(BOXES));
  const shown = (/** @type {Element} */ el) => el.getBoundingClientRect().width >= 100;
  return [
    ...[...boxes].filter(shown).map((el) => ({
      name: nameOf(el),
      file: () => framed([{ el, copy: boxCopy(el, nameOf(el)) }]),
    })),
    ...[...drawn].filter(shown).map((el) => ({
      name: nameOf(el),
      file: () => framed([{ el, copy: svgCopy(el) }, ...beside(el)]),
    })),
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

/** The names that stand beside the strips of the stages. @param {Element} picture */
function beside(picture) {
  const el = /** @type {HTMLElement | null | undefined} */ (
    picture.closest(".cascade")?.querySelector(".stops")
  );
  return el ? [{ el, copy: boxCopy(el, "") }] : [];
}

/** What stands side by side on screen, in one file, with room around it.
 * @param {{el: Element, copy: Element}[]} parts */
function framed(parts) {
  const boxes = parts.map(({ el }) => el.getBoundingClientRect());
  const left = Math.min(...boxes.map((b) => b.left)) - MARGIN;
  const top = Math.min(...boxes.map((b) => b.top)) - MARGIN;
  const width = Math.max(...boxes.map((b) => b.right)) + MARGIN - left;
  const height = Math.max(...boxes.map((b) => b.bottom)) + MARGIN - top;
  const picture = element("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  picture.append(element("rect", { width: "100%", height: "100%", fill: groundOf(parts[0].el) }));
  for (const [i, { copy }] of parts.entries()) {
    copy.setAttribute("x", String(boxes[i].left - left));
    copy.setAttribute("y", String(boxes[i].top - top));
    copy.setAttribute("overflow", "visible"); // as a name on screen may be wider than its column
    picture.append(copy);
  }
  return { text: new XMLSerializer().serializeToString(picture), width, height };
}

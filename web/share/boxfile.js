/** A picture that is made of boxes and words, such as the strips of throws, as SVG for a file. */

import { element } from "./svgfile.js";

const CLEAR = /^(transparent|rgba\(0, 0, 0, 0\))$/;
/** How far below the middle of its line a text of size 1 stands. */
const BASELINE = 0.35;

/** @param {HTMLElement} root as it is on screen @param {string} label */
export function boxCopy(root, label) {
  const frame = root.getBoundingClientRect();
  const { width, height } = frame;
  const picture = element("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
  picture.append(element("title", {}, label));
  for (const el of root.querySelectorAll("*")) {
    const css = getComputedStyle(el);
    const box = el.getBoundingClientRect();
    if (!box.width || !box.height || css.visibility !== "visible") continue;
    if (!CLEAR.test(css.backgroundColor)) picture.append(rectOf(box, frame, css));
    for (const node of el.childNodes)
      if (node instanceof Text && node.data.trim()) {
        const words = textOf(node, box, frame, css);
        if (words) picture.append(words);
      }
  }
  return picture;
}

/** The colour behind an element. @param {Element | null} el */
export function groundOf(el) {
  for (let at = el; at; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (!CLEAR.test(backgroundColor)) return backgroundColor;
  }
  return "#fff";
}

/** @param {DOMRect} box @param {DOMRect} frame @param {CSSStyleDeclaration} css */
function rectOf(box, frame, css) {
  const line = lineOf(css);
  const inner = line ? line.width / 2 : 0;
  const width = Math.max(0, box.width - 2 * inner);
  const height = Math.max(0, box.height - 2 * inner);
  return element("rect", {
    x: box.left - frame.left + inner,
    y: box.top - frame.top + inner,
    width,
    height,
    rx: roundness(css, Math.min(width, height)),
    fill: css.backgroundColor,
    opacity: css.opacity,
    ...(line ? { stroke: line.colour, "stroke-width": line.width } : {}),
  });
}

/** The line around a box: a border, or a shadow inside it. @param {CSSStyleDeclaration} css */
function lineOf(css) {
  const [, shadow, spread] = /^(.*\)) 0px 0px 0px (\d+)px inset$/.exec(css.boxShadow) ?? [];
  if (shadow) return { colour: shadow, width: Number(spread) };
  const width = Number.parseFloat(css.borderTopWidth);
  const around = css.borderTopWidth === css.borderBottomWidth && css.borderTopStyle === "solid";
  return width > 0 && around ? { colour: css.borderTopColor, width } : null;
}

/** @param {CSSStyleDeclaration} css @param {number} size of the shorter side */
function roundness({ borderTopLeftRadius: radius }, size) {
  const r = Number.parseFloat(radius) || 0;
  return Math.min(size / 2, radius.endsWith("%") ? (r / 100) * size : r);
}

/** A text, where it has the room that it has on screen.
 * @param {Text} node @param {DOMRect} box @param {DOMRect} frame @param {CSSStyleDeclaration} css */
function textOf(node, box, frame, css) {
  const range = document.createRange();
  range.selectNodeContents(node);
  let at = range.getBoundingClientRect();
  const size = Number.parseFloat(css.fontSize);
  let words = node.data.trim();
  if (at.width > box.width + 1) {
    if (css.textOverflow !== "ellipsis") return null; // a piece of it would say nothing
    while (range.endOffset > 1 && at.width > box.width - size) {
      range.setEnd(node, range.endOffset - 1);
      at = range.getBoundingClientRect();
    }
    words = `${range.toString().trim()}…`;
  }
  return element(
    "text",
    {
      x: at.left + at.width / 2 - frame.left,
      y: at.top + at.height / 2 - frame.top + size * BASELINE,
      "text-anchor": "middle",
      fill: css.color,
      "font-family": css.fontFamily,
      "font-size": css.fontSize,
      "font-weight": css.fontWeight,
    },
    words,
  );
}

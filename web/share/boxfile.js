/** A picture that is made of boxes and words, such as the strips of throws, as an SVG file. */

import { element } from "./svgfile.js";

const CLEAR = /^(transparent|rgba\(0, 0, 0, 0\))$/;
/** How far below the middle of its line a text of size 1 stands. */
const BASELINE = 0.35;

/**
 * @param {HTMLElement} root as it is on screen
 * @param {string} label
 * @param {{ground?: boolean}} [how] ground: what lies behind it is drawn, too
 * @returns {{text: string, width: number, height: number}}
 */
export function boxFile(root, label, { ground = true } = {}) {
  const frame = root.getBoundingClientRect();
  const { width, height } = frame;
  const picture = element("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
  });
  picture.append(element("title", {}, label));
  if (ground)
    picture.append(element("rect", { width: "100%", height: "100%", fill: groundOf(root) }));
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
  return { text: new XMLSerializer().serializeToString(picture), width, height };
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
  // A line around a box is a shadow inside it.
  const line = /^(.*\)) 0px 0px 0px (\d+)px inset$/.exec(css.boxShadow);
  const inner = line ? Number(line[2]) / 2 : 0;
  return element("rect", {
    x: box.left - frame.left + inner,
    y: box.top - frame.top + inner,
    width: Math.max(0, box.width - 2 * inner),
    height: Math.max(0, box.height - 2 * inner),
    rx: Number.parseFloat(css.borderTopLeftRadius) || 0,
    fill: css.backgroundColor,
    opacity: css.opacity,
    ...(line ? { stroke: line[1], "stroke-width": line[2] } : {}),
  });
}

/** A text, where it has the room that it has on screen.
 * @param {Text} node @param {DOMRect} box @param {DOMRect} frame @param {CSSStyleDeclaration} css */
function textOf(node, box, frame, css) {
  const range = document.createRange();
  range.selectNodeContents(node);
  const at = range.getBoundingClientRect();
  if (at.width > box.width + 1) return null; // cut short on screen: a piece of it would say nothing
  const size = Number.parseFloat(css.fontSize);
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
    node.data.trim(),
  );
}

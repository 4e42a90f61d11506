/** A drawn SVG for a file of its own: the colours of the page's style sheets are written into it. */

/** What of a computed style an SVG can say as an attribute, and what it means unsaid. */
const LOOK = /** @type {Record<string, string>} */ ({
  fill: "",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "paint-order": "normal",
  opacity: "1",
  "fill-opacity": "1",
  "stroke-opacity": "1",
  "font-family": "",
  "font-size": "",
  "font-weight": "400",
  "font-style": "normal",
  "text-anchor": "start",
  "dominant-baseline": "auto",
  "text-decoration-line": "none",
  visibility: "visible",
});
/** Attributes that are of the page, not of the picture. */
const PAGE = /^(class|style|tabindex|role|aria-.*|data-.*)$/;
/** Elements that are looked at; their children are, too. */
const DRAWN = "g,path,rect,circle,ellipse,line,polyline,polygon,text,tspan";

/** @param {SVGSVGElement} picture as it is on screen */
export function svgCopy(picture) {
  const { width, height } = picture.getBoundingClientRect();
  const copy = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
  const seen = [picture, ...picture.querySelectorAll("*")];
  const made = [copy, ...copy.querySelectorAll("*")];
  const gone = [];
  for (const [i, el] of seen.entries()) {
    const css = getComputedStyle(el);
    const to = made[i];
    if (css.display === "none" && el.matches(DRAWN)) gone.push(to);
    if (el.matches(DRAWN)) paint(to, css);
    for (const { name } of [...to.attributes])
      if (PAGE.test(name) || name.startsWith("on")) to.removeAttribute(name);
  }
  for (const el of gone) el.remove();
  copy.prepend(element("title", {}, picture.getAttribute("aria-label") ?? ""));
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return copy;
}

/** @param {Element} el @param {CSSStyleDeclaration} css */
function paint(el, css) {
  for (const [name, unsaid] of Object.entries(LOOK)) {
    // The address of a pattern may be written out in full; in the file it is near.
    const v = css.getPropertyValue(name).replace(/url\("?[^"#)]*(#[^")]+)"?\)/, "url($1)");
    const attribute = name === "text-decoration-line" ? "text-decoration" : name;
    if (v && v !== unsaid) el.setAttribute(attribute, v);
    else el.removeAttribute(attribute);
  }
}

/** @param {string} tag @param {Record<string, string | number>} attributes @param {string} [text] */
export function element(tag, attributes, text = "") {
  const el = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, v] of Object.entries(attributes)) el.setAttribute(name, String(v));
  el.textContent = text;
  return el;
}

/** Pixels of the file for one on screen. */
const SHARP = 2;

/**
 * An SVG file as PNG.
 *
 * @param {{text: string, width: number, height: number}} file
 * @returns {Promise<Blob>}
 */
export async function pngFile({ text, width, height }) {
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * SHARP);
    canvas.height = Math.round(height * SHARP);
    const context = canvas.getContext("2d");
    if (!context) throw new Error("this browser gives no canvas");
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob(
        (blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be written"))),
        "image/png",
      ),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Elements, icons, motion, and the one polite voice of the page. */

/**
 * @typedef {Node | string | number | false | null | undefined} One
 * @typedef {One | One[] | One[][]} Kid
 * @typedef {Record<string, any>} Props  `onclick` and the like are listeners,
 *   `style` is an object of CSS properties, the rest are properties or attributes
 */

const SVG = "http://www.w3.org/2000/svg";

/** Attributes whose name is no property, or a read-only one. */
const ATTRIBUTES = new Set(["list", "form", "role", "class", "for", "popovertarget"]);

/**
 * Makes an HTML element.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...Kid} kids
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...kids) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [p, v] of Object.entries(value)) setStyle(el, p, v);
    else if (name in el && !ATTRIBUTES.has(name)) /** @type {any} */ (el)[name] = value;
    else el.setAttribute(name, value === true ? "" : value);
  }
  fill(el, ...kids);
  return el;
}

/**
 * Makes an SVG element.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...Kid} kids
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...kids) {
  const el = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) el.setAttribute(name, String(value));
  fill(el, ...kids);
  return /** @type {SVGElement} */ (el);
}

/** @param {Element} el @param {...Kid} kids */
function fill(el, ...kids) {
  for (const kid of /** @type {any[]} */ (kids.flat(3)))
    if (kid !== null && kid !== undefined && kid !== false && kid !== "") el.append(kid);
}

/**
 * The first element under root that matches; it must be there.
 *
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement}
 */
export function $(selector, root = document) {
  const el = root.querySelector(selector);
  if (!el) throw new Error(`no ${selector} in the page`);
  return /** @type {HTMLElement} */ (el);
}

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export const $$ = (selector, root = document) => [
  .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector)),
];

/** Writes a text only when it differs, so that a selection in it survives.
 * @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Writes an attribute only when it differs; null takes it away.
 * @param {Element} el @param {string} name @param {string | number | null} value */
export function setAttr(el, name, value) {
  if (value === null) el.removeAttribute(name);
  else if (el.getAttribute(name) !== String(value)) el.setAttribute(name, String(value));
}

/** @param {HTMLElement | SVGElement} el @param {string} name @param {string | number} value */
export function setStyle(el, name, value) {
  el.style.setProperty(name, String(value));
}

/** Puts kids in place of what is there, unless it is the same already. Not for
 * kids with listeners, which are not compared.
 * @param {Element} el @param {...Kid} kids */
export function setKids(el, ...kids) {
  const fresh = document.createDocumentFragment();
  fill(/** @type {any} */ (fresh), ...kids);
  const box = document.createElement("div");
  box.append(fresh);
  if (same(el, box)) return;
  el.replaceChildren(...box.childNodes);
}

/** @param {Node} a @param {Node} b */
function same(a, b) {
  if (a.childNodes.length !== b.childNodes.length) return false;
  return [...a.childNodes].every((kid, i) => kid.isEqualNode(b.childNodes[i]));
}

/**
 * Makes the children of parent follow items: an element stays as long as its
 * key does, so that focus and selection stay, too.
 *
 * @template T
 * @template {Element} E
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T, index: number) => string} key
 * @param {(item: T, index: number) => E} make
 * @param {(el: E, item: T, index: number) => void} update
 */
export function keyed(parent, items, key, make, update) {
  /** @type {Map<string, E>} */
  const old = /** @type {any} */ (parent).keyedKids ?? new Map();
  /** @type {Map<string, E>} */
  const now = new Map();
  items.forEach((item, i) => {
    const k = key(item, i);
    now.set(k, old.get(k) ?? make(item, i));
  });
  for (const [k, el] of old) if (now.get(k) !== el) el.remove();
  let at = parent.firstElementChild;
  items.forEach((item, i) => {
    const el = /** @type {E} */ (now.get(key(item, i)));
    if (el === at) at = at.nextElementSibling;
    else parent.insertBefore(el, at);
    update(el, item, i);
  });
  /** @type {any} */ (parent).keyedKids = now;
}

/** Whether the user wants no movement. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
export const rtl = () => document.documentElement.dir === "rtl";

/** @type {Map<unknown, number>} */
const running = new Map();

/**
 * Calls step(0…1) over ms milliseconds; a later call with the same key takes
 * over. With 0, or where no movement is wanted, it is one call at once.
 *
 * @param {unknown} key
 * @param {number} ms
 * @param {(t: number) => void} step
 */
export function tween(key, ms, step) {
  cancelAnimationFrame(running.get(key) ?? 0);
  if (ms <= 0 || still()) return step(1);
  const start = performance.now();
  const tick = (/** @type {number} */ now) => {
    const t = Math.min(1, Math.max(0, (now - start) / ms));
    step(1 - (1 - t) ** 3);
    if (t < 1) running.set(key, requestAnimationFrame(tick));
  };
  running.set(key, requestAnimationFrame(tick));
}

let voiceTimer = 0;

/** Says text to screen readers once nothing has changed for 600 ms.
 * @param {string} text */
export function say(text) {
  clearTimeout(voiceTimer);
  voiceTimer = window.setTimeout(() => setText($("#voice"), text), 600);
}

/** Calls fn when the width of el changes.
 * @param {HTMLElement} el @param {() => void} fn */
export function onResize(el, fn) {
  let width = el.clientWidth;
  new ResizeObserver(() => {
    if (el.clientWidth === width) return;
    width = el.clientWidth;
    if (width) fn();
  }).observe(el);
}

/** Calls fn when the theme changes, by the switch or by the system; the answer ends it.
 * @param {() => void} fn */
export function onTheme(fn) {
  const watch = new MutationObserver(fn);
  watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const queries = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) =>
    matchMedia(query),
  );
  for (const query of queries) query.addEventListener("change", fn);
  return () => {
    watch.disconnect();
    for (const query of queries) query.removeEventListener("change", fn);
  };
}

/** Icons, 16 by 16, one stroke. */
const ICONS = {
  save: "M8 2.5V10M5 7l3 3 3-3M3.5 10.5v3h9v-3",
  share: "M8 10V2.5M5 5l3-3 3 3M3.5 8.5v5h9v-5",
  open: "M9.5 3H13v3.5M13 3 7.5 8.5M6.5 3.5H3v9.5h9.5V9.5",
  die: "M3 4.5A1.5 1.5 0 0 1 4.5 3h7A1.5 1.5 0 0 1 13 4.5v7a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 11.5zM5.8 5.8h.01M8 8h.01M10.2 10.2h.01",
  play: "M5 3.5v9l7-4.5z",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  back: "M3 8a5 5 0 1 0 1.6-3.7M3 2.5v3h3",
  sun: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  edit: "M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z",
  fork: "M4 2.5v11M4 8c5 0 7-1 7-5M9 4.6 11 2.5l2 2.1",
  close: "M4 4l8 8M12 4l-8 8",
  bin: "M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9M7 7v4M9 7v4",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  fit: "M3 6V3h3M13 6V3h-3M3 10v3h3M13 10v3h-3",
  copy: "M6 6h7v7H6zM3.5 10V3H10",
  check: "M3 8.5 6.5 12 13 4.5",
  cut: "M4.5 5.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6M4.5 13.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6M6 5l7.5 7M6 11l7.5-7",
  down: "M4 6l4 4 4-4",
  up: "M4 10l4-4 4 4",
  warn: "M8 2.5 14 13H2zM8 6.5v3M8 11.3h.01",
  surprise: "M2.5 12.5h2v-4h-2zM7 12.5h2V4H7zM11.5 12.5h2v-6h-2z",
  tune: "M2.5 5h6M11.5 5h2M10 3.2v3.6M2.5 11h2M7.5 11h6M6 9.2v3.6",
};

/** @param {keyof typeof ICONS} name */
export const icon = (name) =>
  svg(
    "svg",
    { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true" },
    svg("path", { d: ICONS[name] }),
  );

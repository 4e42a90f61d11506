/** A comparison as JSON, and as one HTML file that needs nothing else. */

import { fixed, number } from "../format.js";

/**
 * @typedef {import("../api.d.ts").Metrics} Metrics
 * @typedef {import("../api.d.ts").Step} Step
 *
 * @typedef {object} PaneText
 * @property {string} letter
 * @property {string} name
 * @property {string[]} tags its settings in words
 * @property {object} settings
 * @property {string} stop why the text ended, in words
 * @property {Step[]} text
 * @property {Metrics | null} metrics
 *
 * @typedef {object} Comparison
 * @property {string} link
 * @property {{id: string, name: string, hash: string}} model
 * @property {string} prompt
 * @property {number} seed
 * @property {PaneText[]} panes
 *
 * @typedef {object} Words what the report says, in the page's language
 * @property {string} language
 * @property {"ltr" | "rtl"} direction
 * @property {string} title
 * @property {string} prompt
 * @property {string} seed
 * @property {string} model
 * @property {string} link
 * @property {string} metrics
 * @property {string} entropy
 * @property {string} nucleus
 * @property {string} surprise
 * @property {[key: keyof Metrics, label: string, digits: number][]} columns
 */

/** @param {Comparison} comparison */
export const comparisonJSON = (comparison) =>
  JSON.stringify({ format: "decoding-playground/comparison", version: 1, ...comparison }, null, 1);

/** Text for HTML, between tags and inside quotes. @param {string | number} v */
const escaped = (v) => String(v).replace(/[&<>"'`]/g, (c) => `&#${c.charCodeAt(0)};`);

class Safe {
  /** @param {string} html */
  constructor(html) {
    this.html = html;
  }
}

/**
 * A piece of HTML: what is put in is escaped, but for other pieces of HTML.
 *
 * @param {TemplateStringsArray} parts
 * @param {...(string | number | Safe | Safe[])} values
 */
function html(parts, ...values) {
  const put = (/** @type {string | number | Safe} */ v) =>
    v instanceof Safe ? v.html : escaped(v);
  const all = values.map((v) => (Array.isArray(v) ? v.map(put).join("") : put(v)));
  return new Safe(parts.reduce((out, part, i) => out + all[i - 1] + part));
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 1rem/1.55 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.6rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .3rem; }
  dl { display: grid; grid-template-columns: auto 1fr; gap: .2rem 1rem; } dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
  p.text { font: .95rem/1.7 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
  .given { opacity: .6; } .tags { opacity: .7; font-size: .875rem; margin: 0; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; } th, td { padding: .25rem .75rem; text-align: end; border-bottom: 1px solid; }
  .wide { overflow-x: auto; font-size: .875rem; } th:first-child { text-align: start; white-space: nowrap; } svg { width: 100%; max-width: 28rem; height: auto; overflow: visible; }
  figure { margin: .5rem 1rem .5rem 0; display: inline-block; width: min(100%, 18rem); } figcaption { font-size: .8rem; opacity: .7; }
  polyline { fill: none; stroke: #1670d8; stroke-width: 1.5; } line { stroke: currentColor; opacity: .3; } text { font: 10px system-ui; fill: currentColor; }
  @media print { section { break-inside: avoid; } }`;

/** @param {Comparison} comparison @param {Words} words */
export function comparisonHTML({ link, model, prompt, seed, panes }, words) {
  const section = (/** @type {PaneText} */ p) => html`
<section>
<h2>${p.letter}. ${p.name}</h2>
<p class="tags">${p.tags.join(", ")}</p>
<p class="text" dir="auto"><span class="given">${prompt}</span>${textOf(p)}</p>
<p class="tags">${p.stop}</p>
${line(words.entropy, p, panes, (s) => s.entropy)}${line(words.nucleus, p, panes, (s) => s.nucleus)}${line(words.surprise, p, panes, (s) => s.surprise)}
</section>`;
  const row = (/** @type {PaneText} */ p) =>
    html`<tr><th scope="row">${p.letter}. ${p.name}</th>${words.columns.map(([key, , digits]) => html`<td>${p.metrics ? fixed(p.metrics[key], digits) : "–"}</td>`)}</tr>
`;
  return html`<!doctype html>
<html lang="${words.language}" dir="${words.direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title}</title>
<style>${new Safe(STYLE)}</style>
</head>
<body>
<h1>${words.title}</h1>
<dl>
<dt>${words.prompt}</dt><dd dir="auto">${prompt}</dd>
<dt>${words.seed}</dt><dd>${seed}</dd>
<dt>${words.model}</dt><dd>${model.name} (${model.hash.slice(0, 12)})</dd>
<dt>${words.link}</dt><dd>${link}</dd>
</dl>
${panes.map(section)}
<h2>${words.metrics}</h2>
<section class="wide">
<table>
<thead><tr><th></th>${words.columns.map(([, label]) => html`<th scope="col">${label}</th>`)}</tr></thead>
<tbody>
${panes.map(row)}</tbody>
</table>
</section>
</body>
</html>
`.html;
}

/** @param {PaneText} pane */
const textOf = ({ text }) => text.map((s) => s.text || `⟨${s.hex}⟩`).join("");

const WIDE = 240;
const HIGH = 70;

/**
 * A line by step, on one scale for all panes.
 *
 * @param {string} title
 * @param {PaneText} pane
 * @param {PaneText[]} all
 * @param {(s: Step) => number} value
 */
function line(title, pane, all, value) {
  const steps = Math.max(2, ...all.map((p) => p.text.length));
  const top = Math.max(1e-9, ...all.flatMap((p) => p.text.map(value)));
  const points = pane.text.map(
    (s, i) =>
      `${((i / (steps - 1)) * WIDE).toFixed(1)},${(HIGH - (value(s) / top) * HIGH).toFixed(1)}`,
  );
  return html`<figure><svg viewBox="-4 -12 ${WIDE + 8} ${HIGH + 16}" role="img" aria-label="${title}"><line x1="0" y1="${HIGH}" x2="${WIDE}" y2="${HIGH}"/><text x="0" y="-3">${number(Number(top.toPrecision(3)))}</text><polyline points="${points.join(" ")}"/></svg><figcaption>${title}</figcaption></figure>`;
}

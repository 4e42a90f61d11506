/** What is pasted into course notes to show the widget there. */

import { writeFragment } from "../fragment.js";

/**
 * @typedef {import("../state.js").State} State
 *
 * @typedef {"distribution" | "compare" | "beams" | "draws" | "lesson" | "step"} Part step: one of a lesson, alone
 *
 * @typedef {object} Embed
 * @property {string} base the folder of the site, with its "/"
 * @property {string} fragment of the widget, without "#"
 * @property {string} title
 */

/** The part of the widget that a view of the page becomes. @type {Record<string, Part>} */
export const PARTS = {
  explore: "distribution",
  compare: "compare",
  beams: "beams",
  draws: "draws",
  lessons: "lesson",
};

/** The view of the page that a part is of. @param {Part} part */
export const viewOfPart = (part) =>
  part === "step" ? "lessons" : (Object.keys(PARTS).find((v) => PARTS[v] === part) ?? "explore");

/**
 * The fragment of the widget: that of the page, with the part to show.
 *
 * @param {State} state
 * @param {{part: Part, start: "click" | "now"}} how
 */
export function embedFragment(state, { part, start }) {
  const begin = `view=${part}${start === "click" ? "&start=click" : ""}`;
  const view = viewOfPart(part);
  if (view === "lessons") return `${begin}&lesson=${state.lesson}`;
  return `${begin}&${writeFragment({ ...state, view }).replace(/^#\w+\?/, "")}`;
}

/** @param {string} text for an attribute in double quotes */
const attribute = (text) =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** @param {string} text as Markdown that means nothing but itself */
const plain = (text) => text.replace(/[\\`*_[\]<>{}$&~]/g, "\\$&");

/** @param {Embed} embed */
const address = ({ base, fragment }) => `${base}embed.html#${fragment}`;

/**
 * A lesson is as long as it is. A frame that cannot hear how long gets so many
 * px, in which at a width of 600 three steps of four are whole with their answers.
 *
 * @type {Record<string, number>}
 */
const LONG = { lesson: 1400, step: 1150 };
/** The height of a frame of a part that is long. @param {Embed} embed */
const longOf = ({ fragment }) => LONG[/^view=(\w+)/.exec(fragment)?.[1] ?? ""];

/** @param {Embed} embed */
const frame = (embed) =>
  `<iframe src="${attribute(address(embed))}"
  title="${attribute(embed.title)}" width="100%" height="${longOf(embed) ?? 320}"
  style="border:0${longOf(embed) ? "" : ";aspect-ratio:5/3;height:auto;min-height:300px"}" loading="lazy"></iframe>`;

/** An iframe without style, which some editors take away. @param {Embed} embed */
const plainFrame = (embed) =>
  `<iframe src="${attribute(address(embed))}" title="${attribute(embed.title)}" width="600" height="${longOf(embed) ?? 360}" frameborder="0"></iframe>`;

/** @param {string} text */
const indented = (text) => text.replace(/^/gm, "   ");

/** @type {Record<string, (embed: Embed) => string>} by name of the tool */
export const SNIPPETS = {
  HTML: frame,
  Element: (embed) =>
    `<script src="${attribute(embed.base)}embed.js" async></script>
<decoding-playground title="${attribute(embed.title)}"
  state="${attribute(embed.fragment)}"></decoding-playground>`,
  // MyST leaves no markup of a page's own, and its frames are all of one shape.
  "MyST, Jupyter Book 2": ({ base, fragment, title }) =>
    `:::{anywidget} ${base}anywidget.js
${JSON.stringify({ site: base, state: fragment, title })}
:::`,
  Quarto: (embed) => `\`\`\`{=html}\n${frame(embed)}\n\`\`\``,
  Sphinx: (embed) => `.. raw:: html\n\n${indented(frame(embed))}`,
  "Markdown, Jupyter Book 1": (embed) =>
    `${frame(embed)}\n\n[${plain(embed.title)}](<${address(embed)}>)`,
  "Moodle, Canvas": (embed) => `<p>${plainFrame(embed)}</p>`,
};

/** The tiny Markdown of lessons: *emphasis*, `code` and [title](lesson:id). All else is plain. */

import { h } from "../dom.js";
import { dirOf } from "../language.js";
import { language, t } from "../texts.js";
import { link } from "./link.js";

/**
 * @typedef {object} Piece
 * @property {"text" | "em" | "code" | "link"} kind
 * @property {string} text
 * @property {string} lesson of a link
 */

const MARKS = /`([^`]+)`|\*(\S|\S[^*]*\S)\*|\[([^\][]+)\]\(lesson:([a-z][a-z0-9-]{0,39})\)/g;

/** @param {string} text @returns {Piece[]} */
export function parse(text) {
  /** @type {Piece[]} */
  const pieces = [];
  const add = (/** @type {Piece["kind"]} */ kind, /** @type {string} */ s, lesson = "") => {
    if (s) pieces.push({ kind, text: s, lesson });
  };
  let done = 0;
  for (const m of text.matchAll(MARKS)) {
    add("text", text.slice(done, m.index));
    if (m[1] !== undefined) add("code", m[1]);
    else if (m[2] !== undefined) add("em", m[2]);
    else add("link", m[3], m[4]);
    done = m.index + m[0].length;
  }
  add("text", text.slice(done));
  return pieces;
}

/** The text as nodes. Never markup: what looks like it is shown as it is.
 * @param {string} text @returns {(Node | string)[]} */
export const render = (text) =>
  parse(text).map((p) => {
    if (p.kind === "code") return h("code", {}, p.text);
    if (p.kind === "em") return h("em", {}, p.text);
    if (p.kind === "link") return h("a", { href: link(p.lesson) }, p.text);
    return p.text;
  });

/** The text without its marks, to be spoken. @param {string} text */
export const plain = (text) =>
  parse(text)
    .map((p) => p.text)
    .join("");

/** What an element says of words in a language that may not be the page's. @param {string} lang */
export const inLanguage = (lang) => ({ lang, dir: dirOf(lang) });

/** A line in the reader's language where what follows is not. */
export const languageNote = () =>
  language === "en" ? null : h("p", { class: "hint languagenote" }, t("lesson.english"));

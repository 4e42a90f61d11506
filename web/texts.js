/**
 * The page's texts in the chosen language, one file a language in texts/. A key
 * that a language lacks is read in English.
 */

import { chosen, dirOf, load, localeOf } from "./language.js";
import english from "./texts/en.js";

/**
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>> & {other: string}} Text
 * @typedef {Record<string, Text>} Texts
 */

const own = chosen === "en" ? english : await load(chosen);

/** The language of the page, its direction, and the locale that its numbers are written in. */
export const language = own ? chosen : "en";
export const dir = dirOf(language);
export const locale = localeOf(language);

/** @type {Texts} */
const texts = { ...english, ...own };

const plurals = new Intl.PluralRules(locale);
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const share = new Intl.NumberFormat(locale, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Keeps what is put into a text from right to left in its own order: letters
 * say which that is, a number runs from left to right.
 * @param {string} text */
export const isolated = (text) =>
  dir === "rtl" ? `${/\p{L}/u.test(text) ? "\u2068" : "\u2066"}${text}\u2069` : text;

/** @param {string} name @param {unknown} v */
const say = (name, v) => isolated(written(name, v));

/** @param {string} name @param {unknown} v */
function written(name, v) {
  if (typeof v !== "number") return String(v);
  if (name === "mass" || name === "share" || name === "loss") {
    const tiny = v > 0 && v < 0.0005; // some, though it rounds to none
    return `${name === "loss" ? "\u2212" : ""}${tiny ? `<${share.format(0.1)}` : share.format(100 * v)}\u00a0%`;
  }
  return name === "n" || name.startsWith("n_") ? whole.format(v) : String(v);
}

/** @param {string} key @param {Record<string, unknown>} values */
function find(key, values) {
  const text = texts[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  if (typeof text === "string") return text;
  return text[plurals.select(Number(values.n))] ?? text.other;
}

/** Whether there is a text for key.
 * @param {string} key */
export const has = (key) => key in texts;

/**
 * The text for key.
 *
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 */
export function t(key, values = {}) {
  return find(key, values).replace(/\{(\w+)\}/g, (_, name) => say(name, values[name]));
}

/** Several things in a row.
 * @param {string[]} items */
export const listed = (items) => items.join(t("list.comma"));

/**
 * The text for key in pieces, where values may be nodes.
 *
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {(string | Node)[]}
 */
export function rich(key, values = {}) {
  return find(key, values)
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      if (!name) return part;
      const v = values[name];
      return v instanceof Node ? v : say(name, v);
    });
}

/** Numbers and tokens as a person reads them. */

import { has, isolated, locale, t } from "./texts.js";

/** @typedef {import("./api.d.ts").Param} Param */
/** @typedef {{text: string, hex: string}} Piece */

const NBSP = "\u00a0";
const MINUS = "\u2212";

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });

/** @type {Map<number, Intl.NumberFormat>} */
const fixers = new Map();

/** @param {number} n */
export const int = (n) => whole.format(Math.round(n));

const free = new Intl.NumberFormat(locale, { maximumFractionDigits: 6 });
/** With as many digits as it has.
 * @param {number} n */
export const number = (n) => isolated(free.format(n).replace("-", MINUS));

/** With a fixed number of digits and a true minus sign.
 * @param {number} n @param {number} [digits] */
export function fixed(n, digits = 2) {
  let f = fixers.get(digits);
  if (!f) {
    f = new Intl.NumberFormat(locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    fixers.set(digits, f);
  }
  const nothing = Math.abs(n) < 0.5 * 10 ** -digits; // has no sign
  return isolated(f.format(nothing ? 0 : n).replace("-", MINUS));
}

/** Decimals of a sum that is written out. */
const TERMS = 3;
/** Terms and their sum, both rounded: they may miss each other by that.
 * @param {number[]} terms @param {number} total */
export function sum(terms, total) {
  const units = (/** @type {number} */ v) => Math.round(v * 10 ** TERMS);
  const exact = terms.reduce((all, v) => all + units(v), 0) === units(total);
  const told = terms.map((v) => fixed(v, TERMS)).join("  ");
  return isolated(`${told} ${exact ? "=" : "≈"} ${fixed(total, TERMS)}`);
}

/** What a sum of many shares may miss of 1 by rounding alone. */
const ROUNDING = 1e-6;

/** A share, 0 to 1, in per cent with fixed digits, so that columns never move.
 * Only nothing reads as 0 and only all of it as 100.
 * @param {number} share @param {number} [digits] */
export function pct(share, digits = 1) {
  const smallest = 10 ** -digits;
  let text = fixed(100 * share, digits);
  if (share > 0 && share < smallest / 200) text = `<${fixed(smallest, digits)}`;
  else if (share > 1 - smallest / 200 && share < 1 - ROUNDING)
    text = `>${fixed(100 - smallest, digits)}`;
  return isolated(`${text}${NBSP}%`);
}

/** @param {number} n bytes */
export function bytes(n) {
  if (n >= 1e6) return isolated(`${fixed(n / 1e6, n >= 1e8 ? 0 : 1)}${NBSP}MB`);
  return isolated(`${int(n / 1e3)}${NBSP}kB`);
}

/** A time that is not known well. @param {number} seconds */
export function duration(seconds) {
  const [n, unit] = seconds < 90 ? [seconds, "s"] : [seconds / 60, "min"];
  return isolated(`${int(Math.max(n, 1))}${NBSP}${unit}`);
}

/** How many decimals a parameter is shown with.
 * @param {Param} p */
export function digits(p) {
  if (p.type !== "number") return 0;
  return p.step > 0 ? Math.min(4, Math.max(0, Math.ceil(-Math.log10(p.step) - 1e-9))) : 2;
}

/** A parameter's value as a number box takes it: two decimals, more where the value needs them.
 * @param {Param} p @param {number} v */
export function typed(p, v) {
  if (p.type !== "number") return String(v);
  for (let d = Math.min(2, digits(p)); d < 6; d++)
    if (Math.abs(Number(v.toFixed(d)) - v) < 1e-9) return v.toFixed(d);
  return String(v);
}

/** A parameter's value as it is read.
 * @param {Param} p @param {number} v */
export function value(p, v) {
  if (p.type === "choice") return p.choices[v] ?? "";
  const text = typed(p, v);
  return text.includes("e") ? isolated(text) : fixed(v, text.split(".")[1]?.length ?? 0);
}

const MARKS = /** @type {Record<string, string>} */ ({ "\n": "↵", "\r": "␍", "\t": "⇥" });

/** The characters of a token; what cannot be seen gets a sign.
 * @param {Piece} token */
export function show(token) {
  if (token.hex && !token.text) return token.hex;
  return [...token.text]
    .map((c) => {
      if (MARKS[c]) return MARKS[c];
      const code = /** @type {number} */ (c.codePointAt(0));
      return code < 32 ? String.fromCodePoint(0x2400 + code) : c;
    })
    .join("");
}

/** Whether a token is a mark of the model, not text.
 * @param {Piece} token */
export const special = (token) => token.text === "<|endoftext|>";

/** Without the leading space, for places where the space is not the point.
 * @param {Piece} token */
export function word(token) {
  const text = show(token);
  return text.startsWith(" ") && text.trim() ? text.slice(1) : text.replace(/ /g, "·");
}

/** Why a text ended, in a word or two.
 * @param {{stop: string, stopDoc: string}} status */
export const stopText = ({ stop, stopDoc }) => (has(`stop.${stop}`) ? t(`stop.${stop}`) : stopDoc);

/** A token's name for a screen reader.
 * @param {Piece} token */
export function spoken(token) {
  if (token.hex && !token.text) return t("token.bytes", { hex: token.hex });
  if (token.text === "\n") return t("token.newline");
  if (token.text && !token.text.trim()) return t("token.spaces");
  return show(token).trim();
}

/** The engine's reasons for an end or a cut in the page's language; what is not known here stays English. */

import { number } from "./format.js";
import { t } from "./texts.js";

const N = String.raw`(-?[\d.e+-]+)`;
/** A reason as the engine says it, and the values of the text for it. @type {[RegExp, string, string[]][]} */
const REASONS = [
  [/^the end-of-sequence token was taken$/, "reason.eos", []],
  [
    new RegExp(`^the steps took ${N} s, and ${N} s are the limit$`),
    "reason.time",
    ["took", "most"],
  ],
  [new RegExp(`^${N} new tokens are there, the limit$`), "reason.newTokens", ["n"]],
  [new RegExp(`^the text has ${N} tokens with its prompt, the limit$`), "reason.length", ["n"]],
  [
    new RegExp(`^the text has ${N} tokens, and the model reads no more than ${N}`),
    "reason.context",
    ["n", "n_of"],
  ],
  [/^the text "(.*)" has appeared$/, "reason.stopString", ["text"]],
  [/^every token is removed: no text goes on$/, "reason.nothing", []],
  [/^every text has ended$/, "reason.allEnded", []],
  [
    new RegExp(`^the best running text would score ${N} now, the worst finished one has ${N}$`),
    "reason.beaten",
    ["best", "worst"],
  ],
  [
    new RegExp(
      `^the best running text would score ${N} at full length, the worst finished one has ${N}$`,
    ),
    "reason.beatenAtLength",
    ["best", "worst"],
  ],
  [new RegExp(`^early_stopping is true and ${N} texts are finished$`), "reason.early", ["n"]],
  [
    new RegExp(`^it ends at place ${N}, beyond num_beams ${N}: thrown away$`),
    "reason.endsLate",
    ["n", "n_of"],
  ],
  [new RegExp(`^place ${N}, beyond num_beams ${N}$`), "reason.place", ["n", "n_of"]],
  [/^pushed out by better finished texts$/, "reason.pushed", []],
  [new RegExp(`^no continuation stayed after step ${N}$`), "reason.childless", ["n"]],
];
const OVER = "the search ended: ";

/** @param {string} reason @returns {string} */
export function reasonInWords(reason) {
  if (reason.startsWith(OVER))
    return t("reason.over", { why: reasonInWords(reason.slice(OVER.length)) });
  for (const [pattern, key, names] of REASONS) {
    const found = pattern.exec(reason);
    if (!found) continue;
    const values = names.map((name, i) => {
      const v = found[i + 1];
      if (name === "text") return [name, v];
      return [name, name.startsWith("n") ? Number(v) : number(Number(v))];
    });
    return t(key, Object.fromEntries(values));
  }
  return reason;
}

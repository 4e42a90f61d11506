/**
 * The engine's own words in the page's language: the labels and the docs of what
 * it describes, and its errors. What a language has no words for stays English.
 */

import { number } from "./format.js";
import { VERSION } from "./fragment.js";
import { brief } from "./readfragment.js";
import { partMissing } from "./renewed.js";
import { has, isolated, listed, t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./api.d.ts").Param} Param
 */

/** The text of the first key that there is.
 * @param {string[]} keys @param {string} english */
function word(keys, english) {
  const key = keys.find(has);
  return key ? t(key) : english;
}

/** @template {Kind} K @param {K} kind @returns {K} */
const kindInWords = (kind) => ({
  ...kind,
  label: word([`kind.${kind.name}`], kind.label),
  doc: word([`kind.${kind.name}.doc`], kind.doc),
  params: kind.params.map((p) => paramInWords(kind.name, p)),
});

/** Kinds share parameters; a kind with words of its own for one comes first.
 * @param {string} kind @param {Param} p @returns {Param} */
const paramInWords = (kind, p) => ({
  ...p,
  label: word([`param.${kind}.${p.name}`, `param.${p.name}`], p.label),
  doc: word([`param.${kind}.${p.name}.doc`, `param.${p.name}.doc`], p.doc),
});

/** @param {Described} described @returns {Described} */
export const inWords = (described) => ({
  ...described,
  processors: described.processors.map(kindInWords),
  strategies: described.strategies.map(kindInWords),
  charts: described.charts.map((c) => ({
    ...c,
    title: word([`chart.${c.name}`], c.title),
    doc: word([`chart.${c.name}.doc`], c.doc),
  })),
  orders: described.orders.map((o) => ({
    ...o,
    label: word([`order.${o.name}`], o.label),
    doc: word([`order.${o.name}.doc`], o.doc),
  })),
});

const NUMBER = String.raw`(-?[\d.]+)`;
/** What the engine wants, as it says it, and the text for it. @type {[RegExp, string][]} */
const WANTS = [
  [new RegExp(`^${NUMBER} to ${NUMBER}$`), "range.closed"],
  [new RegExp(`^above ${NUMBER}, below ${NUMBER}$`), "range.inside"],
  [new RegExp(`^above ${NUMBER}, up to ${NUMBER}$`), "range.above"],
  [new RegExp(`^${NUMBER} up to, but not, ${NUMBER}$`), "range.below"],
  [new RegExp(`^at least ${NUMBER}$`), "range.atLeast"],
  [new RegExp(`^at most ${NUMBER}$`), "range.atMost"],
  [/^a whole number$/, "range.whole"],
];

/** @param {string} want */
function wantInWords(want) {
  for (const [pattern, key] of WANTS) {
    const [found, first = "", second = ""] = pattern.exec(want) ?? [];
    const [min, max] = key === "range.atMost" ? ["", first] : [first, second];
    if (found !== undefined)
      return t(key, { min: min && number(Number(min)), max: max && number(Number(max)) });
  }
  return want;
}

/** What the loader and the worker tell, what a browser or a device lacks, and the text for it. */
const SAYINGS = /** @type {Record<string, string>} */ ({
  "This window can't store models: they are downloaded again next time.": "model.noStore",
  "There is no room to store the model: it is downloaded again next time.": "model.noRoom",
  "the worker ended": "state.workerEnded",
  "the engine ended": "state.engineEnded",
  "the engine ended; its last words are in the console": "state.engineEnded",
  "every token is removed: nothing to draw from": "error.nothing",
  "there is not enough memory": "error.memory",
  "this browser has no module workers": "error.modules",
  "this browser runs no WebAssembly": "error.wasm",
});

/** @param {string} note */
export const noteInWords = (note) => (SAYINGS[note] ? t(SAYINGS[note]) : note);

/** A value that was refused, with what is wanted; empty where it is something else that is told.
 * @param {string} message */
function refusalInWords(message) {
  const [refused, name, value, want] = /^(\S+): (.+), want (.+)$/.exec(message) ?? [];
  return refused ? t("error.want", { name, value, want: wantInWords(want) }) : "";
}

/** What an error says, in words. @param {{message: string}} error */
export function errorInWords({ message }) {
  const refusal = refusalInWords(message);
  if (refusal) return refusal;
  if (partMissing({ message })) return t("error.part");
  const [answered, file, status] = /^(.*): the host answered (\d+)$/.exec(message) ?? [];
  return answered ? `${file}: ${t("error.host", { status })}` : noteInWords(message);
}

/** What is said of a call that failed.
 * @param {any} error @param {boolean} [kept] whether the picture is of the settings before */
export const failureInWords = (error, kept = false) => {
  const message = errorInWords(error);
  if (error.code === "internal") return t("refused.internal", { message });
  return [t("refused.value", { message }), kept ? t("refused.kept") : ""].join(" ").trim();
};

/** Parts of a link that are named when they are of no use. */
const TOLD = 8;

/** What is said of a link that is not all of use; empty where it is.
 * @param {string[]} refused what could not be used, as it was typed */
export function linkInWords(refused) {
  const version = refused.find((what) => what.startsWith("v "));
  const rest = refused.filter((what) => what !== version);
  const what = listed(
    rest.slice(0, TOLD).map((part) => isolated(brief(refusalInWords(part) || part))),
  );
  return [
    version ? t("refused.newer", { version: version.slice(2), own: VERSION }) : "",
    what ? t("refused.link", { what }) : "",
  ]
    .filter(Boolean)
    .join(" ");
}

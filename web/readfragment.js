/** Reading the fragment of an address; fragment.js says what it holds. Nothing in it is trusted. */

import { MOST_PROMPT, SHOWN_OFF, SILENT, VERSION, VIEWS } from "./fragment.js";
import { stageKey } from "./settings.js";

/**
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Stage} Stage
 * @typedef {import("./state.js").State} State
 * @typedef {import("./state.js").Pane} Pane
 *
 * @typedef {object} Read
 * @property {Partial<State>} state parts that the fragment does not name are missing
 * @property {string[]} refused what could not be used
 *
 * @typedef {[name: string, low: number, high: number, whole: boolean]} Range
 */

const MOST = {
  pairs: 2000, // of a key and its value: a link of the page has some hundred
  stages: 60,
  args: 20, // of a stage
  panes: 6,
  tokens: 100_000,
  shown: 60,
  number: 12,
  ends: 20,
};
/** @type {Range[]} */
const BEAMS = [
  ["num_beams", 1, 6, true],
  ["steps", 1, 12, true],
  ["length_penalty", 0, 2, false],
];
/** @type {Range[]} */
const DRAWS = [
  ["count", 1, 1000, true],
  ["texts", 1, 100, true],
  ["length", 1, 12, true],
  ["again", 0, 1e6, true],
];

/** A link that says one of these says all settings: those that it leaves out are as at the start. */
const SETTINGS = "strategy stages seed max_new_tokens max_length max_time draft end eos stop".split(
  " ",
);

/** @param {string} text @param {string} mark @returns {[string, string]} */
function split(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/** A number as it is written in a link; NaN for all else, also for nothing, and
 * for what is too large to be written as it was typed.
 * @param {string} text */
function toNumber(text) {
  const v = /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  return Math.abs(v) < 2 ** 53 ? v : Number.NaN;
}

/** Numbers by name; what was typed for one that is none goes to refused.
 * @param {string} list @param {string} fallback the name of a bare number @param {string[]} refused */
function readArgs(list, fallback, refused) {
  const items = list.split(",").filter(Boolean);
  if (items.length > MOST.args) {
    refused.push(brief(`${fallback} ${list}`));
    return {};
  }
  /** @type {Map<string, string>} */
  const typed = new Map();
  for (const item of items) {
    const [name, v] = item.includes("=") ? split(item, "=") : [fallback, item];
    // Said twice, as by the comma of "0,8", it is no number.
    const before = typed.get(name);
    typed.set(name, before === undefined ? v : `${before},${v}`);
  }
  /** @type {[string, number][]} */
  const args = [];
  for (const [name, text] of typed) {
    const v = toNumber(text);
    if (Number.isNaN(v)) refused.push(brief(`${name} ${text}`));
    else args.push([name, v]);
  }
  return Object.fromEntries(args);
}

/** One whose numbers are all refused stands as if the link did not name it.
 * @param {string} text @param {string[]} refused @returns {Stage} */
function readStage(text, refused) {
  const [name, list] = split(text, ":");
  const kind = name.replace(/^-/, "");
  const before = refused.length;
  const args = readArgs(list, kind, refused);
  if (refused.length > before && !Object.keys(args).length) return silentStage(kind);
  return { kind, on: kind === name, args, lists: {} };
}

/** A stage that a link does not name. @param {string} kind @returns {Stage} */
const silentStage = (kind) => ({
  kind,
  on: false,
  args: Object.hasOwn(SHOWN_OFF, kind) ? { [kind]: SHOWN_OFF[kind] } : {},
  lists: {},
});

/** @param {string} strategy @param {string} stages @param {string[]} refused @returns {Settings} */
function readDecoder(strategy, stages, refused) {
  const [kind, args] = split(strategy, ",");
  const named = stages
    .split(";")
    .filter(Boolean)
    .map((text) => readStage(text, refused));
  const silent = Object.keys(SHOWN_OFF)
    .filter((name) => !named.some((s) => s.kind === name))
    .map(silentStage);
  return {
    strategy: kind,
    strategyArgs: args ? { [kind]: readArgs(args, kind, refused) } : {},
    strategyLists: {},
    stages: inOrder(named, silent),
    seed: SILENT.seed,
    max_new_tokens: SILENT.max_new_tokens,
    max_length: SILENT.max_length,
    max_time: SILENT.max_time,
    ends: true,
    endTokens: [],
    stop: [],
    assistant_early_exit: SILENT.assistant_early_exit,
  };
}

/** Puts each stage that is off before the first that usually comes after it.
 * @param {Stage[]} named @param {Stage[]} silent */
function inOrder(named, silent) {
  const usual = Object.keys(SHOWN_OFF);
  return silent.reduce((all, s) => {
    const later = usual.slice(usual.indexOf(s.kind) + 1);
    const at = all.findIndex((x) => later.includes(x.kind));
    return all.toSpliced(at < 0 ? all.length : at, 0, s);
  }, named);
}

/**
 * What a fragment says.
 *
 * @param {string} hash
 * @returns {Read}
 */
export function readFragment(hash) {
  const [name, query] = split(hash.replace(/^#/, ""), "?");
  /** @type {Partial<State>} */
  const state = VIEWS.includes(name) ? { view: name } : {};
  /** @type {string[]} */
  const refused = [];
  const [q, lost] = readPairs(query);
  if (lost) refused.push(lost);
  /** The value of key, where it is there and good. @param {string} key @param {(v: string) => boolean} good */
  const get = (key, good = () => true) => {
    const v = q.get(key);
    if (v === null) return null;
    if (good(v)) return v;
    refused.push(brief(`${key} ${v}`));
    return null;
  };

  get("v", (v) => v === VERSION);
  const prompt = get("prompt", (v) => v.length <= MOST_PROMPT);
  if (prompt !== null)
    Object.assign(state, {
      prompt,
      bos: get("bos", flag) === "1",
      branches: [],
      branch: 0,
      die: null,
    });
  const model = get("model", (v) => /^[\w.-]{1,80}(:[0-9a-f]{1,64})?$/.test(v));
  if (model) [state.model, state.modelHash] = split(model, ":");
  const text = get("text", (v) => readText(v) !== null);
  if (text) state.branches = [{ name: "A", tokens: readText(text) ?? [] }];
  const die = get("die", (v) => toNumber(v) >= 0 && toNumber(v) < 1);
  if (die) state.die = toNumber(die);

  const settings = readSettings(q, get, refused);
  if (settings) state.settings = settings;
  const panes = q.getAll("pane");
  if (panes.length > MOST.panes) refused.push(`pane ${MOST.panes + 1}`);
  if (panes.length === 1) refused.push(`pane: 1, want 2 to ${MOST.panes}`);
  if (panes.length > 1) state.panes = readPanes(q, panes.slice(0, MOST.panes), refused);
  const length = get("length", whole(1, 200));
  if (panes.length || length) state.paneTokens = Number(length ?? SILENT.paneTokens);
  const seeds = get("seeds", (v) => v === "many");
  if (panes.length || seeds) state.paneSeeds = seeds !== null;
  for (const [key, ranges] of /** @type {const} */ ([
    ["beams", BEAMS],
    ["draws", DRAWS],
  ])) {
    const v = get(key, (text) => text.split(",").length === ranges.length);
    if (v === null) continue;
    const { numbers, wrong } = readNumbers(key, v.split(","), ranges);
    refused.push(...wrong);
    if (!wrong.length) state[key] = numbers;
  }
  return { state, refused };
}

/** The pairs of a query, and the first of those that are too many.
 * @param {string} query @returns {[URLSearchParams, string]} */
function readPairs(query) {
  const all = [...new URLSearchParams(query)];
  const [lost] = all.slice(MOST.pairs);
  return [new URLSearchParams(all.slice(0, MOST.pairs)), lost ? brief(lost.join(" ")) : ""];
}

/** @param {string} text @returns {[number, boolean][] | null} */
function readText(text) {
  const parts = text.split(".");
  if (parts.length > MOST.tokens || parts.some((p) => !/^!?\d{1,7}$/.test(p))) return null;
  return parts.map((p) => [Number(p.replace("!", "")), p.startsWith("!")]);
}

/**
 * @param {URLSearchParams} q
 * @param {(key: string, good?: (v: string) => boolean) => string | null} get
 * @param {string[]} refused
 * @returns {Settings | null}
 */
function readSettings(q, get, refused) {
  const paneList = (/** @type {string} */ list) => /^\d\//.test(list);
  if (!SETTINGS.some((key) => q.has(key)) && q.getAll("list").every(paneList)) return null;
  const strategy = get("strategy") ?? SILENT.strategy;
  const stages = get("stages", (v) => v.split(";").length <= MOST.stages) ?? SILENT.stages;
  const settings = readDecoder(strategy, stages, refused);
  settings.seed = Number(get("seed", whole(0, 2 ** 53 - 1)) ?? SILENT.seed);
  settings.max_new_tokens = Number(get("max_new_tokens", whole(1, 1e5)) ?? SILENT.max_new_tokens);
  settings.max_length = Number(get("max_length", whole(0, 1e5)) ?? SILENT.max_length);
  const inTime = (/** @type {string} */ v) => toNumber(v) >= 0 && toNumber(v) <= 3600;
  settings.max_time = Number(get("max_time", inTime) ?? SILENT.max_time);
  settings.assistant_early_exit = Number(get("draft", whole(1, 96)) ?? SILENT.assistant_early_exit);
  settings.ends = get("eos", flag) !== "0";
  settings.endTokens = readTexts(q, "end", refused);
  settings.stop = readTexts(q, "stop", refused);
  refused.push(...readLists(q, settings, ""));
  return settings;
}

/** @param {URLSearchParams} q @param {string[]} texts @param {string[]} refused @returns {Pane[]} */
const readPanes = (q, texts, refused) =>
  texts.map((text, i) => {
    const [preset, rest] = split(text, "!");
    /** @type {string[]} */
    const wrong = [];
    const settings = readDecoder(...split(rest, "!"), wrong);
    refused.push(...ofPane(i, wrong));
    readLists(q, settings, `${i + 1}/`);
    return { preset, settings };
  });

/** Puts what was typed for list parameters into the stages; gives what belongs to none.
 * @param {URLSearchParams} q @param {Settings} settings @param {string} before */
function readLists(q, settings, before) {
  const { stages, strategy } = settings;
  /** @type {string[]} */
  const lost = [];
  for (const list of q.getAll("list")) {
    const pane = /^\d\//.exec(list)?.[0] ?? "";
    if (pane !== before) continue;
    const [path, typed] = split(list.slice(pane.length), "=");
    const [kind, param] = split(path, ".");
    const stage = stages.find((_, i) => stageKey(stages, i) === kind);
    if (stage) stage.lists = { ...stage.lists, [param]: typed };
    else if (kind === strategy) settings.strategyLists = { [kind]: { [param]: typed } };
    else lost.push(brief(`list ${path}`));
  }
  return lost;
}

/** The texts of a key that may stand several times.
 * @param {URLSearchParams} q @param {string} key @param {string[]} refused */
function readTexts(q, key, refused) {
  const texts = q.getAll(key);
  if (texts.includes("")) refused.push(key);
  const said = texts.filter(Boolean);
  refused.push(...said.slice(MOST.ends).map((text) => brief(`${key} ${text}`)));
  return said.slice(0, MOST.ends);
}

/** @param {string} v */
const flag = (v) => v === "0" || v === "1";

/** @param {number} low @param {number} high */
const whole = (low, high) => (/** @type {string} */ v) =>
  /^\d{1,16}$/.test(v) && Number(v) >= low && Number(v) <= high;

/** Numbers by name, and which of them are out of their range.
 * @param {string} key @param {string[]} texts @param {Range[]} ranges */
function readNumbers(key, texts, ranges) {
  /** @type {any} */
  const numbers = {};
  /** @type {string[]} */
  const wrong = [];
  for (const [i, [name, low, high, whole]] of ranges.entries()) {
    const n = toNumber(texts[i]);
    numbers[name] = n;
    const inside = n >= low && n <= high;
    if (inside && (!whole || Number.isInteger(n))) continue;
    const want = inside ? "a whole number" : `${low} to ${high}`;
    wrong.push(`${key}.${name}: ${brief(texts[i], MOST.number) || '""'}, want ${want}`);
  }
  return { numbers, wrong };
}

/** What could not be used of a pane. @param {number} i @param {string[]} refused */
export const ofPane = (i, refused) => refused.map((what) => brief(`pane ${i + 1} ${what}`));

/** As much of a text as is shown. @param {string} text @param {number} [most] */
export const brief = (text, most = MOST.shown) =>
  text.length > most ? `${text.slice(0, most)}…` : text;

/**
 * The state of the page: one plain value, kept in the browser's storage and,
 * where it makes a link, in the address. So a reload loses nothing.
 */

import { START_LENGTH, START_SEED } from "./settings.js";

/**
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Stage} Stage
 *
 * @typedef {object} Branch
 * @property {string} name
 * @property {[number, boolean][]} tokens id, and whether it was taken by hand
 *
 * @typedef {object} Pane
 * @property {string} preset
 * @property {Settings} settings
 *
 * @typedef {object} State
 * @property {string} view
 * @property {string} prompt
 * @property {boolean} bos whether <|endoftext|> stands before the prompt
 * @property {Settings | null} settings null: those of the start
 * @property {Branch[]} branches
 * @property {number} branch
 * @property {Pane[]} panes
 * @property {number} paneTokens
 * @property {{num_beams: number, steps: number, length_penalty: number}} beams
 * @property {string} lesson in the lessons: which, and its step, with a "/" between them
 * @property {string} model its folder
 */

const KEY = "decoding-playground";
export const VIEWS = ["explore", "compare", "beams", "lessons"];
export const START_PROMPT = "The cat ran after a";

/** @returns {State} */
const start = () => ({
  view: "explore",
  prompt: START_PROMPT,
  bos: false,
  settings: null,
  branches: [],
  branch: 0,
  panes: [],
  paneTokens: 30,
  beams: { num_beams: 3, steps: 6, length_penalty: 1 },
  lesson: "",
  model: "",
});

/**
 * A stage in a link: "top_p:0.9", "-min_p:0.05" when off, and
 * "kind:a=1,b=2" where its parameters have other names.
 *
 * @param {Stage} s
 */
function stageText(s) {
  const args = Object.entries(s.args).map(([k, v]) => (k === s.kind ? `${v}` : `${k}=${v}`));
  return `${s.on ? "" : "-"}${s.kind}:${args.join(",")}`;
}

/** @param {string} text @returns {Stage} */
function readStage(text) {
  const m = /^(-?)([^:]*):?(.*)$/s.exec(text);
  const [, off, kind, list] = m ?? ["", "", "", ""];
  return { kind, on: off !== "-", args: readArgs(list, kind), lists: {} };
}

/** @param {string} list @param {string} fallback the name of a bare number */
function readArgs(list, fallback) {
  /** @type {Record<string, number>} */
  const args = {};
  for (const item of list.split(",").filter(Boolean)) {
    const at = item.indexOf("=");
    args[at < 0 ? fallback : item.slice(0, at)] =
      at === item.length - 1 ? NaN : Number(item.slice(at + 1));
  }
  return args;
}

/** The fragment of the address for a state.
 * @param {State} state */
export function writeFragment({ view, prompt, bos, settings }) {
  const q = new URLSearchParams({ prompt });
  if (bos) q.set("bos", "1");
  if (settings) {
    const args = Object.entries(settings.strategyArgs[settings.strategy] ?? {});
    q.set("strategy", [settings.strategy, ...args.map(([k, v]) => `${k}=${v}`)].join(","));
    q.set("stages", settings.stages.map(stageText).join(";"));
    for (const s of settings.stages)
      for (const [param, typed] of Object.entries(s.lists))
        if (typed) q.append("list", `${s.kind}.${param}=${typed}`);
    q.set("max_new_tokens", String(settings.max_new_tokens));
    q.set("eos", settings.ends ? "1" : "0");
    for (const s of settings.stop) q.append("stop", s);
    q.set("seed", String(settings.seed));
  }
  // A fragment may hold these as they are, and reads better so.
  const text = q.toString().replace(/%3A|%3B|%2C|%3D/g, decodeURIComponent);
  return `#${view}?${text}`;
}

/**
 * What a fragment says; parts that it does not name are missing.
 *
 * @param {string} hash
 * @returns {Partial<State>}
 */
export function readFragment(hash) {
  const [name, query] = split(hash.replace(/^#/, ""), "?");
  /** @type {Partial<State>} */
  const state = VIEWS.includes(name) ? { view: name } : {};
  const q = new URLSearchParams(query);
  const prompt = q.get("prompt");
  if (prompt !== null) Object.assign(state, { prompt, bos: q.get("bos") === "1" });
  const stages = q.get("stages");
  const strategy = q.get("strategy");
  if (stages === null || strategy === null) return state;
  const [kind, args] = split(strategy, ",");
  /** @type {Settings} */
  const settings = {
    strategy: kind,
    strategyArgs: args ? { [kind]: readArgs(args, kind) } : {},
    stages: stages.split(";").filter(Boolean).map(readStage),
    seed: Number(q.get("seed") ?? START_SEED),
    max_new_tokens: Number(q.get("max_new_tokens") ?? START_LENGTH),
    ends: q.get("eos") !== "0",
    stop: q.getAll("stop"),
  };
  for (const list of q.getAll("list")) {
    const [path, typed] = split(list, "=");
    const [kindName, param] = split(path, ".");
    const stage = settings.stages.find((s) => s.kind === kindName);
    if (stage) stage.lists[param] = typed;
  }
  return { ...state, settings };
}

/** @param {string} text @param {string} mark @returns {[string, string]} */
function split(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * The store: state, patched and kept. Keeping is put off a little, so that a
 * drag does not write a hundred times, and done at once when the page goes.
 */
export function createStore() {
  const linked = readFragment(location.hash);
  const kept = load();
  // What was generated belongs to its prompt and settings; a link with others starts afresh.
  const same = linked.prompt === undefined || linked.prompt === kept.prompt;
  /** @type {State} */
  let state = {
    ...start(),
    ...kept,
    ...(same ? {} : { branches: [], branch: 0 }),
    view: "explore",
    ...linked,
  };
  let timer = 0;

  const keep = () => {
    clearTimeout(timer);
    timer = 0;
    const fragment = writeFragment(state);
    if (location.hash !== fragment) history.replaceState(null, "", fragment);
    try {
      localStorage.setItem(KEY, JSON.stringify(state));
    } catch {
      // Without storage the address alone keeps prompt and settings.
    }
  };
  addEventListener("pagehide", keep);

  return {
    get: () => state,
    /** @param {Partial<State>} patch */
    set(patch) {
      state = { ...state, ...patch };
      if (!timer) timer = window.setTimeout(keep, 300);
    },
    /** Takes what the address says now, after a link was followed. */
    readAddress() {
      const patch = readFragment(location.hash);
      this.set(patch);
      return patch;
    },
  };
}

/** @returns {Partial<State>} */
function load() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" ? kept : {};
  } catch {
    return {};
  }
}

/** Settings as the page holds them, and how they become the engine's. */

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./api.d.ts").Param} Param
 * @typedef {import("./api.d.ts").Settings} WireSettings
 * @typedef {import("./api.d.ts").Sequence} Sequence
 *
 * @typedef {object} Stage
 * @property {string} kind
 * @property {boolean} on
 * @property {Record<string, number>} args
 * @property {Record<string, string>} lists what was typed for list parameters, one entry a line
 *
 * @typedef {object} Settings
 * @property {string} strategy
 * @property {Record<string, Record<string, number>>} strategyArgs by strategy, so that a change back loses nothing
 * @property {Record<string, Record<string, string>>} strategyLists likewise: what was typed
 * @property {Stage[]} stages in pipeline order
 * @property {number} seed
 * @property {number} max_new_tokens
 * @property {number} max_length of the text with its prompt; above 0 it counts instead of max_new_tokens
 * @property {number} max_time seconds that all steps may take; 0: any
 * @property {boolean} ends whether the model's end token ends the text
 * @property {string[]} endTokens texts of one token each that end it, too
 * @property {string[]} stop
 * @property {number} assistant_early_exit blocks of the model that guess ahead, where a strategy wants that;
 *   0: EARLY_EXIT, or all but one where the model has no more
 */

/**
 * What the page starts with, by kind: on or off, and a value worth looking at
 * where the default changes nothing. Kinds that are not here can be added.
 *
 * @type {Record<string, {on: boolean, args: Record<string, number>}>}
 */
const START = {
  repetition_penalty: { on: false, args: { repetition_penalty: 1.2 } },
  no_repeat_ngram_size: { on: false, args: { no_repeat_ngram_size: 3 } },
  temperature: { on: true, args: { temperature: 0.8 } },
  top_k: { on: true, args: { top_k: 40 } },
  top_p: { on: true, args: { top_p: 0.9 } },
  min_p: { on: false, args: { min_p: 0.05 } },
};

const START_SEED = 21;
const START_LENGTH = 100;
export const MAX_SEED = 2 ** 53 - 1;
export const MAX_NEW_TOKENS = 100000;
export const MAX_TIME = 3600;
export const MAX_EARLY_EXIT = 96;
const EARLY_EXIT = 5;
/** What settings have where nobody says otherwise. */
export const PLAIN = {
  strategyLists: {},
  max_length: 0,
  max_time: 0,
  endTokens: /** @type {string[]} */ ([]),
  assistant_early_exit: 0,
};

/** @param {Described} described @param {string} name */
export const processor = (described, name) => described.processors.find((k) => k.name === name);
/** @param {Described} described @param {string} name */
export const strategy = (described, name) => described.strategies.find((k) => k.name === name);

/** @param {Kind} kind @returns {Record<string, number>} */
export function defaultArgs(kind) {
  /** @type {Record<string, number>} */
  const args = {};
  for (const p of kind.params) if (p.type !== "sequences") args[p.name] = p.default;
  return args;
}

/** A name for a stage that no other has: its kind, and which of that kind it is.
 * @param {{kind: string}[]} stages @param {number} i */
export function stageKey(stages, i) {
  const { kind } = stages[i];
  const before = stages.slice(0, i).filter((s) => s.kind === kind).length;
  return before ? `${kind}~${before + 1}` : kind;
}

/** A stage as it is when a user adds it.
 * @param {Kind} kind @param {boolean} [on] @returns {Stage} */
export function newStage(kind, on = true) {
  return {
    kind: kind.name,
    on,
    args: { ...defaultArgs(kind), ...START[kind.name]?.args },
    lists: {},
  };
}

/** @param {Described} described @returns {Settings} */
export function startSettings(described) {
  const stages = described.processors
    .filter((k) => START[k.name])
    .map((k) => newStage(k, START[k.name].on));
  const name = strategy(described, "sampling")?.name ?? described.strategies[0].name;
  return {
    ...PLAIN,
    strategy: name,
    strategyArgs: {},
    stages,
    seed: START_SEED,
    max_new_tokens: START_LENGTH,
    ends: true,
    stop: [],
  };
}

/** All stages of the start, and only those in on act, with their values.
 * @param {Described} described
 * @param {Partial<Settings>} patch
 * @param {Record<string, Record<string, number>>} [on] */
export function presetSettings(described, patch, on = {}) {
  const base = startSettings(described);
  const stages = base.stages.map((s) => ({
    ...s,
    on: s.kind in on,
    args: { ...s.args, ...on[s.kind] },
  }));
  return { ...base, ...patch, stages };
}

/** The stage of a kind; of several the last that acts.
 * @param {Stage[]} stages @param {string} kind */
export const stageNamed = (stages, kind) =>
  stages.findLast((s) => s.kind === kind && s.on) ?? stages.find((s) => s.kind === kind);

/** Whether a parameter takes v.
 * @param {Param} p @param {number} v */
export function accepts(p, v) {
  if (!Number.isFinite(v)) return false;
  if (p.type !== "number" && !Number.isInteger(v)) return false;
  return (p.openMin ? v > p.min : v >= p.min) && (p.openMax ? v < p.max : v <= p.max);
}

/** The arguments a strategy or stage runs with.
 * @param {Kind} kind @param {Record<string, number>} [args] */
export const fullArgs = (kind, args) => ({ ...defaultArgs(kind), ...args });

/**
 * What of settings from outside (a link, an older visit) can be used here. What
 * can't is left at its default, and its name is in problems.
 *
 * @param {Described} described
 * @param {Settings} settings
 * @returns {{settings: Settings, problems: string[]}}
 */
export function checked(described, settings) {
  const start = startSettings(described);
  /** @type {string[]} */
  const problems = [];
  const args = (/** @type {Kind} */ kind, /** @type {Record<string, number>} */ given) => {
    const good = defaultArgs(kind);
    for (const [name, v] of Object.entries(given ?? {})) {
      const p = kind.params.find((q) => q.name === name && q.type !== "sequences");
      if (p && accepts(p, v)) good[name] = v;
      else problems.push(`${name} ${v}`);
    }
    return good;
  };
  /** @type {Stage[]} */
  const stages = [];
  for (const s of settings.stages ?? []) {
    const kind = processor(described, s.kind);
    if (!kind) {
      problems.push(`stage ${s.kind}`);
      continue;
    }
    const before = problems.length;
    const good = { ...s, args: args(kind, s.args), lists: s.lists ?? {} };
    const wrong = problems.length - before;
    // With none of its numbers it is not the stage that was meant, and does not act.
    const none = wrong > 0 && wrong === Object.keys(s.args).length;
    stages.push(none ? { ...newStage(kind, false), lists: good.lists } : good);
  }
  const known = strategy(described, settings.strategy);
  if (!known) problems.push(`strategy ${settings.strategy}`.trim());
  /** @type {Settings["strategyArgs"]} */
  const strategyArgs = {};
  for (const [name, given] of Object.entries(settings.strategyArgs ?? {})) {
    const kind = strategy(described, name);
    if (kind) strategyArgs[name] = args(kind, given);
  }
  const number = (
    /** @type {"seed" | "max_new_tokens" | "max_length" | "max_time" | "assistant_early_exit"} */ name,
    /** @type {number} */ low,
    /** @type {number} */ high,
  ) => {
    const v = settings[name];
    const good = name === "max_time" ? Number.isFinite(v) : Number.isInteger(v);
    if (good && v >= low && v <= high) return v;
    if (v !== undefined) problems.push(`${name} ${v}`);
    return start[name];
  };
  return {
    settings: {
      strategy: known ? settings.strategy : start.strategy,
      strategyArgs,
      strategyLists: settings.strategyLists ?? {},
      stages,
      seed: number("seed", 0, MAX_SEED),
      max_new_tokens: number("max_new_tokens", 1, MAX_NEW_TOKENS),
      max_length: number("max_length", 0, MAX_NEW_TOKENS),
      max_time: number("max_time", 0, MAX_TIME),
      ends: settings.ends ?? start.ends,
      endTokens: settings.endTokens ?? [],
      stop: settings.stop ?? [],
      assistant_early_exit: number("assistant_early_exit", 0, MAX_EARLY_EXIT),
    },
    problems,
  };
}

/**
 * The settings on the wire.
 *
 * @param {Described} described
 * @param {Settings} settings
 * @param {{eos_token_id: number, n_layer: number}} model its end token is -1 when it has none
 * @param {(text: string) => Promise<number[]>} tokenize for list parameters
 * @returns {Promise<WireSettings>}
 */
export async function toWire(described, settings, model, tokenize) {
  const name = settings.strategy;
  const kind = strategy(described, name);
  const { eos_token_id: eos, n_layer } = model;
  const exit = settings.assistant_early_exit || Math.min(EARLY_EXIT, n_layer - 1);
  const stages = settings.stages.map(async (s) => ({
    kind: s.kind,
    on: s.on,
    args: s.args,
    seqs: await sequences(processor(described, s.kind), s.lists, tokenize),
  }));
  return {
    strategy: name,
    strategyArgs: kind ? fullArgs(kind, settings.strategyArgs[name]) : {},
    strategySeqs: await sequences(kind, settings.strategyLists[name] ?? {}, tokenize),
    stages: await Promise.all(stages),
    seed: settings.seed,
    die: -1,
    max_new_tokens: settings.max_length > 0 ? 0 : settings.max_new_tokens,
    max_length: settings.max_length,
    max_time: settings.max_time,
    eos: [
      ...(settings.ends && eos >= 0 ? [eos] : []),
      ...(await Promise.all(settings.endTokens.map((text) => oneToken(text, tokenize)))),
    ],
    stop: settings.stop,
    draft: 0,
    assistant_early_exit: kind?.draft ? exit : 0,
  };
}

/** @param {string} text @param {(text: string) => Promise<number[]>} tokenize */
async function oneToken(text, tokenize) {
  const [id, ...more] = await tokenize(text);
  if (id === undefined || more.length)
    throw Object.assign(
      new Error(`eos_token_id: "${text}" is ${1 + more.length} tokens, want one`),
      {
        code: "bad_request",
      },
    );
  return id;
}

/**
 * The lines of list parameters as token sequences; "text = 2.5" has a bias.
 * Where a list is of plain numbers, a line is numbers.
 *
 * @param {Kind | undefined} kind
 * @param {Record<string, string>} lists
 * @param {(text: string) => Promise<number[]>} tokenize
 */
async function sequences(kind, lists, tokenize) {
  /** @type {Sequence[]} */
  const out = [];
  for (const [param, typed] of Object.entries(lists)) {
    const { plain } = kind?.params.find((p) => p.name === param) ?? {};
    for (const line of typed.split("\n")) {
      if (!line) continue;
      if (plain) {
        const ids = line.match(/\d+/g)?.map(Number) ?? [];
        if (ids.length) out.push({ param, ids, bias: 0 });
        continue;
      }
      const m = /^(.*?)\s*=\s*([-+]?[\d.]+)$/.exec(line);
      const ids = await tokenize(m ? m[1] : line);
      if (ids.length) out.push({ param, ids, bias: m ? Number(m[2]) : 0 });
    }
  }
  return out;
}

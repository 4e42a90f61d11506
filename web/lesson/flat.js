/**
 * A lesson's settings, flat under Hugging Face names, as the page holds
 * settings, and back. What a lesson leaves out is off.
 */

import { defaultArgs, PLAIN, processor, strategy } from "../settings.js";

/**
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").Kind} Kind
 * @typedef {import("../settings.js").Settings} Settings
 * @typedef {import("../settings.js").Stage} Stage
 *
 * @typedef {Record<string, any>} Flat
 */

/** Stages with one number of their own name. */
export const STAGES = [
  "repetition_penalty",
  "no_repeat_ngram_size",
  "min_new_tokens",
  "temperature",
  "top_k",
  "top_p",
  "min_p",
  "typical_p",
  "epsilon_cutoff",
  "eta_cutoff",
];

/** @type {Flat} what holds where neither the lesson nor the strategy says otherwise */
const DEFAULTS = {
  num_beams: 1,
  num_beam_groups: 2,
  diversity_penalty: 0.5,
  length_penalty: 1,
  early_stopping: false,
  penalty_alpha: 0,
  max_new_tokens: 20,
  seed: 1,
  stop_strings: [],
};

/** early_stopping in the order of its choices. */
const EARLY = [false, true, "never"];

const inner = (/** @type {string} */ name) => name.replaceAll("-", "_");
const outer = (/** @type {string} */ name) => name.replaceAll("_", "-");

/** The value at which a stage changes nothing. @param {Kind} kind */
const offOf = (kind) => (kind.params[0].hasOff ? kind.params[0].off : kind.params[0].default);

/**
 * @param {Described} described
 * @param {Flat} flat
 * @param {string[]} [shown] stages that are there, switched off, where flat does not name them
 * @returns {Settings}
 */
export function fromFlat(described, flat, shown = []) {
  const name = inner(flat.strategy ?? "greedy");
  const kind = strategy(described, name);
  if (!kind) throw new Error(`strategy: ${flat.strategy}, which the engine does not have`);
  const all = { ...DEFAULTS, ...flat };
  /** @type {Record<string, number>} */
  const own = {};
  for (const p of kind.params)
    if (p.name in all)
      own[p.name] = p.name === "early_stopping" ? EARLY.indexOf(all[p.name]) : all[p.name];
  const wanted = STAGES.filter((s) => !(s in own) && (s in flat || shown.includes(s)));
  const stages = described.processors
    .filter((k) => wanted.includes(k.name))
    .map((k) => stageOf(k, flat[k.name] ?? offOf(k)));
  return {
    ...PLAIN,
    strategy: name,
    strategyArgs: { [name]: own },
    stages: inOrder(stages, flat.order ?? []),
    seed: all.seed,
    max_new_tokens: all.max_new_tokens,
    ends: true,
    stop: all.stop_strings,
  };
}

/** @param {Kind} kind @param {number} v @returns {Stage} */
const stageOf = (kind, v) => ({
  kind: kind.name,
  on: v !== offOf(kind),
  args: { ...defaultArgs(kind), [kind.name]: v },
  lists: {},
});

/** The named stages change places among themselves; the others stay where they are.
 * @param {Stage[]} stages @param {string[]} order */
function inOrder(stages, order) {
  const named = stages
    .filter((s) => order.includes(s.kind))
    .sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
  return stages.map((s) => (order.includes(s.kind) ? /** @type {Stage} */ (named.shift()) : s));
}

/** Every setting that a lesson can name, with its value now.
 * @param {Described} described @param {Settings} settings @returns {Flat} */
export function toFlat(described, settings) {
  /** @type {Flat} */
  const flat = { ...DEFAULTS };
  for (const name of STAGES) {
    const kind = processor(described, name);
    const stage = settings.stages.find((s) => s.kind === name && s.on);
    if (kind) flat[name] = stage ? (stage.args[name] ?? kind.params[0].default) : offOf(kind);
  }
  const kind = strategy(described, settings.strategy);
  const args = settings.strategyArgs[settings.strategy] ?? {};
  for (const p of kind?.params ?? []) {
    if (!(p.name in flat)) continue;
    const v = args[p.name] ?? p.default;
    flat[p.name] = p.name === "early_stopping" ? EARLY[v] : v;
  }
  return {
    ...flat,
    strategy: outer(settings.strategy),
    seed: settings.seed,
    max_new_tokens: settings.max_new_tokens,
    stop_strings: settings.stop,
  };
}

/**
 * Settings whose limits count new tokens only: for the engine those that a
 * lesson took are new, too.
 *
 * @param {import("../api.d.ts").Settings} wire
 * @param {number} taken
 */
export function afterTaken(wire, taken) {
  const stages = wire.stages.map((s) =>
    s.kind === "min_new_tokens"
      ? { ...s, args: { ...s.args, min_new_tokens: s.args.min_new_tokens + taken } }
      : s,
  );
  return { ...wire, stages, max_new_tokens: wire.max_new_tokens + taken };
}

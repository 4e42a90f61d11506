/**
 * What an earlier visit left in the browser's storage. It may be of an older or
 * newer version, cut short, or by another hand: each part of it is taken only
 * where it has its shape, so that nothing in there can keep the page from
 * starting.
 */

import { VIEWS } from "./fragment.js";
import { PLAIN } from "./settings.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {(v: any) => boolean} Shape */

/** @type {Shape} */
const text = (v) => typeof v === "string";
/** @type {Shape} */
const flag = (v) => typeof v === "boolean";
/** @type {Shape} */
const number = (v) => typeof v === "number";
/** @param {number} low @param {number} high @returns {Shape} */
const whole = (low, high) => (v) => Number.isInteger(v) && v >= low && v <= high;
/** @param {Shape} shape @returns {Shape} */
const list = (shape) => (v) => Array.isArray(v) && v.every(shape);
/** @type {Shape} */
const object = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
/** @param {Shape} shape @returns {Shape} */
const record = (shape) => (v) => object(v) && Object.values(v).every(shape);
/** @param {Record<string, Shape>} parts @returns {Shape} */
const struct = (parts) => (v) =>
  object(v) && Object.entries(parts).every(([name, shape]) => shape(v[name]));
/** For what only newer versions keep. @param {Shape} shape @returns {Shape} */
const maybe = (shape) => (v) => v === undefined || shape(v);

const settings = struct({
  strategy: text,
  strategyArgs: record(record(number)),
  strategyLists: maybe(record(record(text))),
  stages: list(struct({ kind: text, on: flag, args: record(number), lists: maybe(record(text)) })),
  seed: number,
  max_new_tokens: number,
  max_length: maybe(number),
  max_time: maybe(number),
  ends: maybe(flag),
  endTokens: maybe(list(text)),
  stop: maybe(list(text)),
  assistant_early_exit: maybe(number),
});

/** @type {Shape} */
const token = (v) => Array.isArray(v) && whole(0, 1e7)(v[0]) && flag(v[1]);

/** @type {Record<keyof State, Shape>} */
const SHAPES = {
  view: (v) => VIEWS.includes(v),
  prompt: text,
  bos: flag,
  settings: (v) => v === null || settings(v),
  branches: list(struct({ name: text, tokens: list(token) })),
  branch: whole(0, 1000),
  panes: (v) => list(struct({ preset: text, settings }))(v) && v.length <= 6,
  paneTokens: whole(1, 200),
  paneSeeds: flag,
  beams: struct({ num_beams: whole(1, 16), steps: whole(1, 100), length_penalty: number }),
  draws: struct({
    count: whole(1, 1000),
    texts: whole(1, 100),
    length: whole(1, 100),
    again: whole(0, 1e6),
  }),
  die: (v) => v === null || (number(v) && v >= 0 && v < 1),
  lesson: (v) => text(v) && /^[a-z0-9/-]{0,81}$/.test(v),
  model: (v) => text(v) && /^[\w.-]{0,80}$/.test(v),
  modelHash: (v) => text(v) && /^[0-9a-f]{0,64}$/.test(v),
};

/** @param {any} s */
const filled = (s) => s && { ...PLAIN, ends: true, stop: [], ...s, stages: s.stages.map(lists) };
/** @param {any} stage */
const lists = (stage) => ({ lists: {}, ...stage });

/**
 * The state that the text in storage says.
 *
 * @param {string | null} kept
 * @returns {Partial<State>} parts that were not kept, or not as they should be, are missing
 */
export function readKept(kept) {
  let value;
  try {
    value = JSON.parse(kept ?? "{}");
  } catch {
    return {};
  }
  if (!object(value)) return {};
  /** @type {any} */
  const state = {};
  for (const [name, shape] of Object.entries(SHAPES))
    if (Object.hasOwn(value, name) && shape(value[name])) state[name] = value[name];
  if (state.settings) state.settings = filled(state.settings);
  if (state.panes)
    state.panes = state.panes.map((/** @type {any} */ p) => ({
      ...p,
      settings: filled(p.settings),
    }));
  // One branch of several, or none of none.
  if (!state.branches || state.branch >= Math.max(1, state.branches.length)) {
    delete state.branch;
  }
  return state;
}

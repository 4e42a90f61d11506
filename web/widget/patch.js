/** Settings under their Hugging Face names, put onto the state of the widget. */

import { MOST_PROMPT } from "../fragment.js";
import { accepts, MAX_NEW_TOKENS, MAX_SEED, newStage, processor, strategy } from "../settings.js";

/**
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../settings.js").Settings} Settings
 * @typedef {import("../state.js").State} State
 */

/**
 * The state with what is to be set; all or nothing.
 *
 * @param {Described} described
 * @param {State} state
 * @param {Record<string, unknown>} wanted
 * @returns {Partial<State>}
 * @throws when a name is not known, or a value is not taken: "top_p: 1.5, want 0 to 1"
 */
export function patchState(described, state, wanted) {
  /** @type {Partial<State>} */
  const patch = {};
  let settings = /** @type {Settings} */ (state.settings);
  for (const [name, v] of Object.entries(wanted)) {
    if (name === "prompt") {
      if (typeof v !== "string" || v.length > MOST_PROMPT) throw wrong(name, v, "a text");
      Object.assign(patch, { prompt: v, branches: [], branch: 0, die: null });
    } else if (name === "die") {
      if (v !== null && !(isNumber(v) && v >= 0 && v < 1))
        throw wrong(name, v, wantOf({ type: "number", range: "0 up to, but not, 1" }, v));
    } else settings = set(described, settings, name, v);
  }
  // Of the step after the prompt, whichever was named first.
  if ("die" in wanted) patch.die = /** @type {number | null} */ (wanted.die);
  return { ...patch, settings };
}

/**
 * The same for the view Beams, which has a search of its own.
 *
 * @type {typeof patchState}
 */
export function patchBeams(described, state, wanted) {
  const { num_beams, length_penalty, strategy: named = "beam", ...others } = wanted;
  if (named !== "beam") throw wrong("strategy", named, "beam");
  const beams = { ...state.beams };
  if (num_beams !== undefined) beams.num_beams = whole("num_beams", num_beams, 1, 6);
  if (length_penalty !== undefined) {
    if (!isNumber(length_penalty) || length_penalty < 0 || length_penalty > 2)
      throw wrong(
        "length_penalty",
        length_penalty,
        wantOf({ type: "number", range: "0 to 2" }, length_penalty),
      );
    beams.length_penalty = length_penalty;
  }
  return { ...patchState(described, state, others), beams };
}

/**
 * Sets a patch and has it followed. Where that fails the state is as it was, but for
 * what the reader has changed meanwhile.
 *
 * @param {{get: () => State, set: (patch: Partial<State>) => void}} store
 * @param {Partial<State>} patch
 * @param {() => Promise<void>} follow
 */
export async function setWhole(store, patch, follow) {
  const before = store.get();
  const names = /** @type {(keyof State)[]} */ (Object.keys(patch));
  store.set(patch);
  try {
    await follow();
  } catch (error) {
    const ours = names.filter((name) => store.get()[name] === patch[name]);
    store.set(Object.fromEntries(ours.map((name) => [name, before[name]])));
    throw error;
  }
}

/** @param {Described} described @param {Settings} settings @param {string} name @param {unknown} v @returns {Settings} */
function set(described, settings, name, v) {
  if (name === "strategy") {
    const kind = typeof v === "string" && strategy(described, v.replaceAll("-", "_"));
    if (!kind) throw wrong(name, v, "one that there is");
    return { ...settings, strategy: kind.name };
  }
  if (name === "seed") return { ...settings, seed: whole(name, v, 0, MAX_SEED) };
  if (name === "max_new_tokens")
    return { ...settings, max_new_tokens: whole(name, v, 1, MAX_NEW_TOKENS) };
  const own = strategy(described, settings.strategy)?.params.find((p) => p.name === name);
  if (own) {
    if (!isNumber(v) || !accepts(own, v)) throw wrong(name, v, wantOf(own, v));
    const args = { ...settings.strategyArgs[settings.strategy], [name]: v };
    return { ...settings, strategyArgs: { ...settings.strategyArgs, [settings.strategy]: args } };
  }
  const kind = processor(described, name);
  const param = kind?.params.find((p) => p.name === name && p.type !== "sequences");
  if (!kind || !param) throw new Error(`${name}: not known`);
  if (v !== null && (!isNumber(v) || !accepts(param, v))) throw wrong(name, v, wantOf(param, v));
  const on = v !== null && !(param.hasOff && v === param.off);
  /** @param {Settings["stages"][number]} s */
  const edit = (s) => ({ ...s, on, args: on ? { ...s.args, [name]: v } : s.args });
  if (settings.stages.some((s) => s.kind === name))
    return { ...settings, stages: settings.stages.map((s) => (s.kind === name ? edit(s) : s)) };
  if (!on) return settings;
  const place = (/** @type {string} */ k) => described.processors.findIndex((x) => x.name === k);
  const at = settings.stages.findIndex((s) => place(s.kind) > place(name));
  const fresh = edit(newStage(kind));
  return {
    ...settings,
    stages: settings.stages.toSpliced(at < 0 ? settings.stages.length : at, 0, fresh),
  };
}

/** @param {unknown} v @returns {v is number} */
const isNumber = (v) => typeof v === "number" && Number.isFinite(v);

/** @param {string} name @param {unknown} v @param {number} low @param {number} high */
function whole(name, v, low, high) {
  if (isNumber(v) && Number.isInteger(v) && v >= low && v <= high) return v;
  throw wrong(name, v, wantOf({ type: "whole", range: `${low} to ${high}` }, v));
}

/** What is wrong with a value, and what would be right.
 * @param {{type: string, range: string}} param @param {unknown} v */
function wantOf({ type, range }, v) {
  if (!isNumber(v)) return `a number, ${range}`;
  return type === "number" || Number.isInteger(v) ? range : `a whole number, ${range}`;
}

/** @param {string} name @param {unknown} v @param {string} range */
const wrong = (name, v, range) => new Error(`${name}: ${brief(v)}, want ${range}`);

/** A value in a few characters; an object may have no text of its own. @param {unknown} v */
function brief(v) {
  if (typeof v === "object" && v) return "an object";
  return typeof v === "string" ? `"${v.slice(0, 40)}"` : String(v);
}

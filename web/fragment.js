/**
 * The state of the page as the fragment of an address, version 1:
 *
 *   #explore?v=1&prompt=The+cat&model=storybook-4m:1a2b3c4d&strategy=sampling
 *     &stages=temperature:0.8;top_k:40;top_p:0.9&seed=21&text=464.!318
 *
 * view      before the "?"
 * prompt    the text; bos=1: <|endoftext|> stands before it
 * model     its folder, and the first digits of its hash
 * strategy  name,param=value…
 * stages    in pipeline order: "top_p:0.9", "-min_p:0.05" when off, and
 *           "kind:a=1,b=2" where the parameters have other names
 * list      kind.param=what was typed; before it "N/" for pane N. A kind that
 *           stands several times is kind~2 and so on. The kind may be the strategy.
 * stop, max_new_tokens, max_length, max_time, eos, end, seed
 * draft     blocks of the model that guess ahead; without it 5, or all but one
 * text      ids of the generated tokens, "!" before one taken by hand
 * die       of the step after them, set by hand
 * length, pane, beams, draws   of the views Compare, Beams and Draws
 * seeds     "many": each pane has a seed, one more than the pane before
 *
 * A link of an earlier day has to mean the same for ever: what version 1 says,
 * and what it leaves out, does not change. Another meaning is another version.
 */

import { stageKey } from "./settings.js";

/**
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Stage} Stage
 * @typedef {import("./state.js").State} State
 */

export const VIEWS = ["explore", "compare", "beams", "draws", "lessons"];

export const VERSION = "1";

/** Characters of a prompt at most: a browser takes long to lay out more. */
export const MOST_PROMPT = 200_000;

/** What version 1 means where a link is silent. */
export const SILENT = {
  strategy: "sampling",
  stages: "temperature:0.8;top_k:40;top_p:0.9",
  seed: 21,
  max_new_tokens: 100,
  max_length: 0,
  max_time: 0,
  assistant_early_exit: 0,
  paneTokens: 30,
};
/** Stages that stand switched off where a link does not name them, with the
 * value that they are shown with: they change no text.
 * @type {Record<string, number>} */
export const SHOWN_OFF = {
  repetition_penalty: 1.2,
  no_repeat_ngram_size: 3,
  temperature: 0.8,
  top_k: 40,
  top_p: 0.9,
  min_p: 0.05,
};

/** A parameter that a link leaves out at the value that it has of itself.
 * @type {Record<string, number>} */
const UNSAID = { min_tokens_to_keep: 1 };

/** Digits of a model's hash that a link holds. */
const HASH_DIGITS = 8;

/** @param {Stage} s */
const saidArgs = (s) => Object.entries(s.args).filter(([name, v]) => UNSAID[name] !== v);

/** @param {Stage} s */
function stageText(s) {
  const args = saidArgs(s).map(([k, v]) => (k === s.kind ? `${v}` : `${k}=${v}`));
  return `${s.on ? "" : "-"}${s.kind}:${args.join(",")}`;
}

/** A stage that is off, and as it is where a link does not name it. @param {Stage} s */
const goesWithoutSaying = (s) =>
  !s.on &&
  Object.hasOwn(SHOWN_OFF, s.kind) &&
  saidArgs(s).length === 1 &&
  s.args[s.kind] === SHOWN_OFF[s.kind];

/** @param {Settings} settings */
const stagesText = ({ stages }) =>
  stages
    .filter((s) => !goesWithoutSaying(s))
    .map(stageText)
    .join(";");

/** @param {Settings} settings */
function strategyText({ strategy, strategyArgs }) {
  const args = Object.entries(strategyArgs[strategy] ?? {});
  return [strategy, ...args.map(([k, v]) => `${k}=${v}`)].join(",");
}

/** @param {URLSearchParams} q @param {Settings} settings @param {string} before */
function writeLists(q, { strategy, strategyLists, stages }, before) {
  /** @type {[string, Record<string, string>][]} */
  const lists = stages.map((s, i) => [stageKey(stages, i), s.lists]);
  for (const [kind, typed] of [...lists, [strategy, strategyLists[strategy] ?? {}]])
    for (const [param, words] of Object.entries(typed))
      if (words) q.append("list", `${before}${kind}.${param}=${words}`);
}

/** The fragment of the address for a state.
 * @param {State} state */
export function writeFragment(state) {
  const { view, prompt, settings } = state;
  const q = new URLSearchParams({ v: VERSION, prompt });
  if (state.bos) q.set("bos", "1");
  if (state.model)
    q.set("model", [state.model, state.modelHash.slice(0, HASH_DIGITS)].filter(Boolean).join(":"));
  if (settings) {
    q.set("strategy", strategyText(settings));
    q.set("stages", stagesText(settings));
    writeLists(q, settings, "");
    for (const name of /** @type {const} */ (["max_new_tokens", "max_length", "max_time"]))
      if (settings[name] !== SILENT[name]) q.set(name, String(settings[name]));
    if (!settings.ends) q.set("eos", "0");
    for (const token of settings.endTokens) q.append("end", token);
    if (settings.assistant_early_exit !== SILENT.assistant_early_exit)
      q.set("draft", String(settings.assistant_early_exit));
    for (const s of settings.stop) q.append("stop", s);
    q.set("seed", String(settings.seed));
  }
  const tokens = state.branches[state.branch]?.tokens ?? [];
  if (tokens.length)
    q.set("text", tokens.map(([id, forced]) => `${forced ? "!" : ""}${id}`).join("."));
  if (state.die !== null) q.set("die", String(state.die));
  if (view === "compare") writePanes(q, state);
  if (view === "beams") {
    const { num_beams, steps, length_penalty } = state.beams;
    q.set("beams", [num_beams, steps, length_penalty].join(","));
  }
  if (view === "draws") {
    const { count, texts, length, again } = state.draws;
    q.set("draws", [count, texts, length, again].join(","));
  }
  // A fragment may hold these as they are, and reads better so.
  return `#${view}?${q.toString().replace(/%(?:3A|3B|2C|3D|21|2F)/g, decodeURIComponent)}`;
}

/** @param {URLSearchParams} q @param {State} state */
function writePanes(q, { panes, paneTokens, paneSeeds }) {
  if (paneTokens !== SILENT.paneTokens) q.set("length", String(paneTokens));
  if (paneSeeds) q.set("seeds", "many");
  for (const [i, { preset, settings }] of panes.entries()) {
    q.append("pane", [preset, strategyText(settings), stagesText(settings)].join("!"));
    writeLists(q, settings, `${i + 1}/`);
  }
}

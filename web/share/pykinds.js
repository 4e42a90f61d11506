/** What each stage and strategy is called in transformers, as Python. */

/**
 * @typedef {import("../api.d.ts").Stage} Stage
 * @typedef {Record<string, number>} Args
 *
 * @typedef {object} PyStage
 * @property {(s: Stage) => [string, string]} arg of generate: name and value
 * @property {(s: Stage, at: Around) => string} call the class, where its place is chosen
 * @property {boolean} [ends] it acts on the ends: without one it does nothing
 *
 * @typedef {object} Around what a class has to be told besides its setting
 * @property {string} eos the ids that end, or None
 * @property {string} longest the length at which generation stops, prompt included
 */

/** Tokens of the prompt, in Python. */
export const PROMPT_LENGTH = 'inputs["input_ids"].shape[1]';

/** A text as a Python literal: JSON's escapes are Python's. @param {string} text */
export const str = (text) => JSON.stringify(text);

/** A number that Python has to take as a float. @param {number} v */
export const float = (v) => (Number.isInteger(v) && Math.abs(v) < 1e15 ? v.toFixed(1) : String(v));

/** @param {boolean} v */
export const bool = (v) => (v ? "True" : "False");

/** @param {number[]} ids */
export const list = (ids) => `[${ids.join(", ")}]`;

/** Sequences with their bias. @param {Stage} s */
const biases = (s) => `[${s.seqs.map((q) => `[${list(q.ids)}, ${float(q.bias)}]`).join(", ")}]`;
/** @param {Stage} s */
const sequences = (s) => `[${s.seqs.map((q) => list(q.ids)).join(", ")}]`;
/** @param {Stage} s */
const ids = (s) => list(s.seqs.flatMap((q) => q.ids));
/** One id or several. @param {Stage} s */
const idOrIds = (s) => {
  const all = s.seqs.flatMap((q) => q.ids);
  return all.length === 1 ? String(all[0]) : list(all);
};

/** @param {Stage} s */
const decay = (s) => `(${s.args.start_index}, ${float(s.args.decay_factor)})`;

/** A stage with one float of its own name. @param {string} name @param {string} cls @param {string} param @returns {PyStage} */
const number = (name, cls, param) => ({
  arg: (s) => [name, float(s.args[name])],
  call: (s) => `${cls}(${param}=${float(s.args[name])}${keep(s)})`,
});

/** @param {Stage} s */
const keep = (s) =>
  (s.args.min_tokens_to_keep ?? 1) === 1 ? "" : `, min_tokens_to_keep=${s.args.min_tokens_to_keep}`;

/** @type {Record<string, PyStage>} */
export const STAGES = {
  guidance_scale: {
    arg: (s) => ["guidance_scale", float(s.args.guidance_scale)],
    call: (s) => {
      const negative = s.seqs.length ? `, torch.tensor([${ids(s)}])` : "";
      return `UnbatchedClassifierFreeGuidanceLogitsProcessor(${float(s.args.guidance_scale)}, model${negative})`;
    },
  },
  sequence_bias: {
    arg: (s) => ["sequence_bias", biases(s)],
    call: (s) => `SequenceBiasLogitsProcessor(${biases(s)})`,
  },
  // The bias of one token is that of a sequence of one.
  logit_bias: {
    arg: (s) => ["sequence_bias", biases(s)],
    call: (s) => `SequenceBiasLogitsProcessor(${biases(s)})`,
  },
  repetition_penalty: number("repetition_penalty", "RepetitionPenaltyLogitsProcessor", "penalty"),
  no_repeat_ngram_size: {
    arg: (s) => ["no_repeat_ngram_size", String(s.args.no_repeat_ngram_size)],
    call: (s) => `NoRepeatNGramLogitsProcessor(${s.args.no_repeat_ngram_size})`,
  },
  bad_words_ids: {
    arg: (s) => ["bad_words_ids", sequences(s)],
    call: (s, { eos }) => `NoBadWordsLogitsProcessor(${sequences(s)}, eos_token_id=${eos})`,
  },
  min_length: {
    ends: true,
    arg: (s) => ["min_length", String(s.args.min_length)],
    call: (s, { eos }) => `MinLengthLogitsProcessor(${s.args.min_length}, ${eos})`,
  },
  min_new_tokens: {
    ends: true,
    arg: (s) => ["min_new_tokens", String(s.args.min_new_tokens)],
    call: (s, { eos }) =>
      `MinNewTokensLengthLogitsProcessor(${PROMPT_LENGTH}, ${s.args.min_new_tokens}, ${eos})`,
  },
  forced_bos_token_id: {
    arg: (s) => ["forced_bos_token_id", idOrIds(s)],
    call: (s) => `ForcedBOSTokenLogitsProcessor(${idOrIds(s)})`,
  },
  forced_eos_token_id: {
    arg: (s) => ["forced_eos_token_id", idOrIds(s)],
    call: (s, { longest }) => `ForcedEOSTokenLogitsProcessor(${longest}, ${idOrIds(s)})`,
  },
  remove_invalid_values: {
    arg: () => ["remove_invalid_values", "True"],
    call: () => "InfNanRemoveLogitsProcessor()",
  },
  exponential_decay_length_penalty: {
    ends: true,
    arg: (s) => ["exponential_decay_length_penalty", decay(s)],
    call: (s, { eos }) => `ExponentialDecayLengthPenalty(${decay(s)}, ${eos}, ${PROMPT_LENGTH})`,
  },
  suppress_tokens: {
    arg: (s) => ["suppress_tokens", ids(s)],
    call: (s) => `SuppressTokensLogitsProcessor(${ids(s)})`,
  },
  begin_suppress_tokens: {
    arg: (s) => ["begin_suppress_tokens", ids(s)],
    call: (s) => `SuppressTokensAtBeginLogitsProcessor(${ids(s)}, ${PROMPT_LENGTH})`,
  },
  temperature: number("temperature", "TemperatureLogitsWarper", "temperature"),
  top_k: {
    arg: (s) => ["top_k", String(s.args.top_k)],
    call: (s) => `TopKLogitsWarper(top_k=${s.args.top_k}${keep(s)})`,
  },
  top_p: number("top_p", "TopPLogitsWarper", "top_p"),
  min_p: number("min_p", "MinPLogitsWarper", "min_p"),
  typical_p: number("typical_p", "TypicalLogitsWarper", "mass"),
  epsilon_cutoff: number("epsilon_cutoff", "EpsilonLogitsWarper", "epsilon"),
  eta_cutoff: number("eta_cutoff", "EtaLogitsWarper", "epsilon"),
  renormalize_logits: {
    arg: () => ["renormalize_logits", "True"],
    call: () => "LogitNormalization()",
  },
};

const EARLY = ["False", "True", str("never")];
const OLD = "4.46.3";

/** @param {Args} a @returns {[string, string][]} */
const beamArgs = (a) => [
  ["num_beams", String(a.num_beams)],
  ["length_penalty", float(a.length_penalty)],
  ["early_stopping", EARLY[a.early_stopping] ?? "False"],
  ["num_return_sequences", String(a.num_return_sequences)],
];

/**
 * The arguments of generate by strategy, and the last version that has it,
 * where a newer one has not. One that is missing here is missing there.
 *
 * @type {Record<string, {args: (a: Args, s: {layers: number[]}) => [string, string][], version?: string}>}
 */
export const STRATEGIES = {
  greedy: { args: () => [] },
  sampling: { args: () => [] },
  beam: { args: beamArgs },
  beam_sampling: { args: beamArgs },
  group_beam: {
    version: OLD,
    args: (a) => [
      ...beamArgs(a),
      ["num_beam_groups", String(a.num_beam_groups)],
      ["diversity_penalty", float(a.diversity_penalty)],
    ],
  },
  contrastive: {
    version: OLD,
    args: (a) => [
      ["penalty_alpha", float(a.penalty_alpha)],
      ["top_k", String(a.top_k)],
    ],
  },
  dola: {
    version: OLD,
    args: (a, { layers }) => [
      ["dola_layers", [str("low"), str("high"), list(layers)][a.dola_layers] ?? str("low")],
    ],
  },
  prompt_lookup: {
    args: (a) => [
      ["prompt_lookup_num_tokens", String(a.prompt_lookup_num_tokens)],
      ["max_matching_ngram_size", String(a.max_matching_ngram_size)],
    ],
  },
  assisted: {
    args: (a) => [
      ["assistant_model", "draft"],
      ["num_assistant_tokens", String(a.num_assistant_tokens)],
    ],
  },
};

/** What lessons 12 to 16 say, played. Wants `make wasm`. */

import {
  bits,
  claim,
  get,
  kept,
  prob,
  ratio,
  similarity,
  writes,
} from "../../tools/nodeengine/claims.js";

/** @typedef {import("../../tools/nodeengine/claims.js").Read} Read */

claim(
  "other-filters/minp",
  { settings: { min_p: 0 } },
  {
    "has 0.345": prob("Paris"),
    "0.345, 0.203": prob("Rome"),
    "0.203, 0.164": prob("the"),
    "0.164, 0.156": prob("a"),
    "and 0.132": prob("."),
    "the bar is 0.172": (r) => 0.5 * r("prob", "Paris"),
    "0.345 = 0.172": (r) => 0.5 * r("prob", "Paris"),
  },
);
claim(
  "other-filters/minp",
  {},
  {
    "Paris and Rome clear it": kept("Paris", "Rome"),
  },
);
claim(
  "other-filters/minp-moves",
  { settings: { temperature: 1 } },
  {
    "keeps Paris alone": kept("Paris"),
  },
);
claim("other-filters/typical", {}, { "keeps Rome, *the* and *a*": kept("Rome", "the", "a") });
claim(
  "other-filters/typical",
  { settings: { typical_p: 1 } },
  {
    "entropy is 2.23": get("entropy_bits"),
    "Rome has 2.30": (r) => -Math.log2(r("prob", "Rome")),
    "Paris only 1.54": (r) => -Math.log2(r("prob", "Paris")),
  },
);
claim("other-filters/eta", {}, { "eta 0.2 keeps 3": get("kept_count") });
claim(
  "other-filters/eta",
  { settings: { eta_cutoff: 0, epsilon_cutoff: 0.2 } },
  {
    "epsilon 0.2 keeps 1": get("kept_count"),
  },
);
claim("other-filters/drop-top", {}, { "hold 0.5235": prob("Rome", "the", "a") });
claim("other-filters/drop-top", { solved: true }, { "Paris is out": kept("Rome", "the", "a") });
claim(
  "other-filters/minp-three",
  { settings: { min_p: 0 } },
  {
    "are 0.0707": ratio("Rome", "Paris"),
    "0.0707, 0.0247": ratio("the", "Paris"),
    "0.0247, 0.0193": ratio("a", "Paris"),
    "and 0.0082": ratio(".", "Paris"),
    "Above 0.0193": ratio("a", "Paris"),
    "up to 0.0247": ratio("the", "Paris"),
  },
);

/** The score of a word after *the*, which has gone nowhere else. @param {string} word */
const contrast = (word) => (/** @type {Read} */ r) =>
  0.4 * r("model_prob", word) - 0.6 * similarity(word, "the");

claim(
  "contrastive/score",
  {},
  {
    "Rome has 0.55": prob("Rome"),
    "similarity 0.17": () => similarity("Rome", "the"),
    "Paris 0.35": prob("Paris"),
    "0.35 and -0.17": () => similarity("Paris", "the"),
    "Yes: 0.244": contrast("Paris"),
    "0.244 against 0.116": contrast("Rome"),
    "0.17 = 0.116": contrast("Rome"),
    "0.17 = 0.244": contrast("Paris"),
  },
);
claim("contrastive/score", { run: true }, { "Which one wins?": writes("Paris .") });
claim(
  "contrastive/numbers",
  {},
  {
    "Rome: 0.4 x 0.550": prob("Rome"),
    "0.6 x 0.174": () => similarity("Rome", "the"),
    "0.174 = 0.116": contrast("Rome"),
    "Paris: 0.4 x 0.350": prob("Paris"),
    "+ 0.6 x 0.174": () => -similarity("Paris", "the"),
    "0.174 = 0.244": contrast("Paris"),
  },
);
claim("contrastive/no-loop", { pane: 1, run: true }, { "*the Paris .*": writes("the Paris .") });
claim(
  "contrastive/no-loop",
  { run: true },
  {
    "greedy goes round for ever": (r) => r("loop_period") === 2,
  },
);
claim(
  "contrastive/limits",
  { model: "toy:loop", settings: { top_k: 2 }, run: true },
  {
    "With k = 2 the toy loops again": (r) => r("loop_period") > 0,
  },
);
claim(
  "contrastive/limits",
  { model: "toy:loop", settings: { penalty_alpha: 0, max_new_tokens: 8 }, run: true },
  {
    "Alpha 0 is greedy": writes("the Rome the Rome"),
  },
);
claim(
  "contrastive/smallest-alpha",
  { settings: { penalty_alpha: 0.35 }, run: true },
  {
    "0.35 is too little": (r) => r("loop_period") > 0,
  },
);
claim(
  "contrastive/smallest-alpha",
  { settings: { penalty_alpha: 0.364 }, run: true },
  {
    "From 0.365 on": (r) => r("loop_period") > 0,
  },
);
claim(
  "contrastive/smallest-alpha",
  { settings: { penalty_alpha: 0.366 }, run: true },
  {
    "From 0.365 on, Paris beats Rome": (r) => r("loop_period") === 0,
  },
);
claim(
  "contrastive/loop-again",
  { solved: true, run: true },
  {
    "the Paris the Rome the Rome the Rome": writes("the Paris the Rome the Rome the Rome"),
  },
);

claim("stopping/which", { run: true }, { "*Paris*, then the full stop": writes("Paris .") });
claim("stopping/eos", {}, { "gives it 0.12": prob(".") });
claim(
  "stopping/caps",
  { run: true },
  { "*the Paris .* after *Paris*": writes("Paris the Paris .") },
);
claim(
  "stopping/strings",
  { run: true },
  {
    "the token that completes the match": (r) =>
      r("text") === "the Rome the" && r("stop_reason") === "stop_string",
  },
);
claim(
  "stopping/four",
  { solved: true, run: true },
  {
    "Paris the Paris .": writes("Paris the Paris ."),
    "exactly 4": get("new_tokens"),
  },
);

claim(
  "surprise/bits",
  {},
  {
    "Rome has 0.00496": prob("Rome"),
    "Yes, 7.65": bits("Rome"),
    "2^-8: 7.65": bits("Rome"),
  },
);
claim("surprise/entropy", { settings: { temperature: 1 } }, { 0.058: get("entropy_bits") });
claim("surprise/entropy", {}, { 0.674: get("entropy_bits"), "than 2.32": () => Math.log2(5) });
claim("surprise/choices", { model: "toy:capital" }, { "has 1.04": get("effective_choices") });
claim(
  "surprise/choices",
  { model: "toy:capital", settings: { temperature: 2 } },
  {
    "and 1.60": get("effective_choices"),
  },
);
claim(
  "surprise/one-bit",
  { solved: true },
  {
    "T = 2.45": get("temperature"),
    "has 0.817": prob("Paris"),
    "has 1 bit": (r) => Math.abs(r("entropy_bits") - 1) < 0.02,
  },
);

/** What lessons 10 and 11 say, played. Wants `make wasm`. */

import { claim, gap, get, kept, logit, prob, writes } from "../../tools/nodeengine/claims.js";

claim(
  "order/recall",
  { settings: { top_p: 1 } },
  {
    "from 0.891": prob("Paris"),
    "to 0.954": prob("Paris", "Rome"),
  },
);
claim("order/both", { settings: { top_k: 0 } }, { "keeps Paris and Rome": kept("Paris", "Rome") });
claim(
  "order/both",
  { settings: { top_p: 1 } },
  {
    "the same two": kept("Paris", "Rome"),
    "divided by 0.954": get("kept_mass"),
    "Paris has 0.934": prob("Paris"),
  },
);
claim("order/both", {}, { "Paris alone reaches": kept("Paris") });
claim(
  "order/renormalise",
  { settings: { top_p: 1 } },
  {
    "their sum of 0.954": get("kept_mass"),
    "they have 0.934": prob("Paris"),
    "0.934 and 0.066": prob("Rome"),
  },
);
claim(
  "order/renormalise",
  { settings: { order: ["temperature", "top_p", "top_k"] } },
  {
    "both stay": kept("Paris", "Rome"),
  },
);
claim("order/temperature-last", {}, { "keeps Paris alone": kept("Paris") });
claim(
  "order/keep-two",
  { solved: true },
  {
    "Top-p first: 0.954": get("kept_mass"),
    "2 tokens stay": (r) => r("kept_count") === 2,
  },
);
claim("order/keep-one", { settings: { temperature: 1, top_p: 1 } }, { "saw 0.994": prob("Paris") });
const ORDER = { temperature: 2, top_k: 0, top_p: 0.9995 };
claim(
  "order/teacher",
  { settings: { ...ORDER, top_p: 1 } },
  {
    "four hold 0.9927": prob("Paris", "Rome", "the", "a"),
  },
);
claim(
  "order/teacher",
  { settings: { ...ORDER, order: ["temperature", "top_p"] } },
  {
    "first keeps all 5": get("kept_count"),
  },
);
claim(
  "order/teacher",
  { settings: { ...ORDER, order: ["top_p", "temperature"] } },
  {
    "last keeps 3": get("kept_count"),
    "ends with 0.913": prob("Paris"),
  },
);

claim(
  "repetition/logit",
  {},
  {
    "8.4 / 1.2 = 7.0": (r) => r("score", "Paris"),
    0.976: prob("Paris"),
    "8.4 to 7.0": (r) => r("score", "Paris"),
    "keeps 0.976": prob("Paris"),
    "still 3.9": gap("Paris", "Rome"),
  },
);
claim(
  "repetition/logit",
  { settings: { repetition_penalty: 1 } },
  {
    "of the 0.994": prob("Paris"),
    "1.2 = 0.828": (r) => r("prob", "Paris") / 1.2,
  },
);
claim(
  "repetition/logit",
  { logits: { Paris: -1.2 } },
  {
    "would become -1.44": (r) => r("score", "Paris"),
  },
);
claim(
  "repetition/once",
  {},
  { "8.4 / 3.1 = 2.71": (r) => r("logit", "Paris") / r("logit", "Rome") },
);
claim(
  "repetition/level",
  { pane: 1 },
  {
    "turns -91.6": logit("Paris"),
    "into -109.9": (r) => r("score", "Paris"),
    "two in a million": (r) => Math.round(1e6 * r("prob", "Paris")) === 2,
  },
);
claim(
  "repetition/loop",
  { run: true },
  {
    "*the Rome a Paris .*": writes("the Rome a Paris ."),
  },
);
claim(
  "repetition/loop",
  { run: true, settings: { repetition_penalty: 1.15 } },
  {
    "With 1.15 it returns to the loop": (r) => r("text").endsWith("the Rome the Rome"),
  },
);
claim(
  "repetition/ngram",
  { run: true },
  {
    "breaks the loop and then forces *a*": (r) =>
      r("loop_period") === 0 && / a( |$)/.test(r("text")),
  },
);
claim(
  "repetition/ngram",
  { taken: ["the", "Rome", "the"], settings: { no_repeat_ngram_size: 0 } },
  {
    "where it has 5": (r) => 100 * r("prob", "a"),
  },
);
claim(
  "repetition/overtake",
  { solved: true },
  {
    "puts Rome first": (r) => r("top_token") === "Rome",
  },
);
claim(
  "repetition/overtake",
  { settings: { repetition_penalty: 2.71 } },
  {
    "above 2.71 the two cross": (r) => Math.abs(r("score", "Paris") - r("score", "Rome")) < 0.01,
  },
);
claim(
  "repetition/end-loop",
  { solved: true, taken: ["the", "Rome"] },
  {
    "7.49 / 1.2 = 6.24": (r) => r("score", "the"),
    "against 6.29": (r) => r("score", "a"),
  },
);
claim(
  "repetition/end-loop",
  { settings: { repetition_penalty: 1.15 }, run: true },
  {
    "1.15 is too little": (r) => r("stop_reason") !== "eos",
  },
);
claim(
  "repetition/teacher",
  { settings: { repetition_penalty: 1 } },
  { "from -0.00602": (r) => Math.log(r("prob", "Paris")) },
);
claim(
  "repetition/teacher",
  { settings: { strategy: "beam", repetition_penalty: 1.2, num_beams: 2 } },
  {
    "to -0.00723": (r) => r("score", "Paris"),
  },
);

/** What lessons 1 to 6 say, played. Wants `make wasm`. */

import {
  claim,
  gap,
  get,
  logit,
  powers,
  prob,
  ratio,
  whole,
  writes,
} from "../../tools/nodeengine/claims.js";

const GREEDY = { strategy: "greedy" };
const SENTENCE = "the Rome a Paris .";

claim(
  "softmax/scores",
  {},
  {
    "Paris 8.4": logit("Paris"),
    "Rome 3.1": logit("Rome"),
    "the 1.0": logit("the"),
    "a 0.5": logit("a"),
    "the full stop -1.2": logit("."),
    "The logit of Paris is 2.7": (r) => r("logit", "Paris") / r("logit", "Rome"),
    "to the power of 5.3": gap("Paris", "Rome"),
    "8.4 - 3.1 = 5.3": gap("Paris", "Rome"),
    "is 200.3": ratio("Paris", "Rome"),
  },
);
claim(
  "softmax/formula",
  {},
  {
    "e^8.4 is 4,447.1": (r) => Math.exp(r("logit", "Paris")),
    "add up to 4,473.9": powers,
    "4,447.1 / 4,473.9 = 0.9940": prob("Paris"),
    "Rome gets 0.0050": prob("Rome"),
  },
);
claim(
  "softmax/gaps",
  { logits: { Rome: 13.1 } },
  {
    "Rome takes nearly everything": (r) => r("prob", "Rome") > 0.95,
  },
);
claim("softmax/draw-level", { solved: true }, { "probabilities: 0.4997": prob("Rome") });
claim(
  "softmax/shift",
  { solved: true },
  {
    "Paris has the logit 0": logit("Paris"),
    "the probability 0.994": prob("Paris"),
    8.4: (r) => 8.4 - r("logit", "Paris"),
  },
);
claim("softmax/teacher", {}, { "0.9940": prob("Paris"), "0.9940 and 0.0050": prob("Rome") });

claim("one-step/toy-end", { run: true }, { "Paris, then the full stop": writes("Paris .") });

claim(
  "temperature/halve",
  { settings: { temperature: 1 } },
  {
    "shrinks from 5.3": gap("Paris", "Rome"),
    "Paris has 0.994": prob("Paris"),
  },
);
claim(
  "temperature/halve",
  {},
  {
    "to 2.65": gap("Paris", "Rome"),
    "It has 0.891": prob("Paris"),
    "Well estimated: 0.891": prob("Paris"),
    "Rome rises to 0.063": prob("Rome"),
    "e^2.65 is 14": ratio("Paris", "Rome"),
  },
);
claim("temperature/ratio", {}, { "T = 1, 14": ratio("Paris", "Rome") });
claim(
  "temperature/ratio",
  { settings: { temperature: 1 } },
  {
    "e^(gap / T): 200": ratio("Paris", "Rome"),
  },
);
claim(
  "temperature/ratio",
  { settings: { temperature: 0.5 } },
  {
    "T = 2, 40,135": ratio("Paris", "Rome"),
  },
);
claim("temperature/half", {}, { 0.994: prob("Paris") });
claim(
  "temperature/half",
  { solved: true },
  {
    "T = 5.28": get("temperature"),
    "a coin flip": (r) => Math.abs(r("prob", "Paris") - 0.5) < 0.0005,
  },
);
claim(
  "temperature/teacher",
  { settings: { temperature: 2 } },
  {
    "that 0.891": prob("Paris"),
    "0.891 and 0.063": prob("Rome"),
  },
);

claim("greedy/table", {}, { "*the* (0.50": prob("the") });
claim("greedy/table", { taken: ["the"] }, { "Rome leads with 0.55": prob("Rome") });
claim("greedy/table", { taken: ["the", "Rome"] }, { "*the* leads with 0.60": prob("the") });
claim(
  "greedy/feedback",
  { run: true },
  {
    "it goes round": (r) => r("loop_period") > 0,
    "as surprised as it was": (r) => r("mean_surprise_bits") > 1,
  },
);
claim(
  "greedy/table",
  { run: true },
  {
    "the Rome the Rome the Rome": writes("the Rome the Rome the Rome the Rome"),
  },
);
claim(
  "greedy/round",
  { taken: ["the", "Rome"] },
  {
    0.12: prob("."),
    "never first": (r) => r("rank", ".") > 1,
  },
);
claim(
  "greedy/toy-loop",
  { run: true },
  {
    "A loop of length 2": get("loop_period"),
    "the, Rome, the, Rome": writes("the Rome the Rome"),
  },
);

claim("beam/first-step", {}, { "*the* starts with 0.45": prob("the"), "*a* with 0.40": prob("a") });
claim("beam/first-step", { taken: ["the"] }, { "next token has 0.35": get("top_prob") });
claim("beam/first-step", { taken: ["a"] }, { "*Rome* has 0.85": prob("Rome") });
claim("beam/products", { settings: GREEDY }, { "has 0.450": prob("the"), "has 0.399": prob("a") });
claim("beam/products", { settings: GREEDY, taken: ["the"] }, { "0.450 x 0.350": prob("Paris") });
claim("beam/products", { settings: GREEDY, taken: ["a"] }, { "0.399 x 0.851": prob("Rome") });
claim(
  "beam/products",
  { settings: GREEDY, taken: ["the", "Paris"] },
  { "0.350 x 0.900": prob(".") },
);
claim("beam/products", { settings: GREEDY, taken: ["a", "Rome"] }, { "0.851 x 0.900": prob(".") });
claim(
  "beam/products",
  { settings: GREEDY, run: true },
  {
    "*the Paris .*": writes("the Paris ."),
    "0.900 = 0.142": whole,
  },
);
claim("beam/products", { run: true }, { "*a Rome .*": writes("a Rome ."), "= 0.306": whole });
claim("beam/beams", { run: true }, { "two find *a Rome .*": writes("a Rome .") });
claim(
  "beam/beams",
  { settings: { num_beams: 1 }, run: true },
  {
    "One beam is greedy": writes("the Paris ."),
  },
);
claim("beam/pruned", { run: true }, { "a text of 0.045": whole });
claim("beam/pruned", { settings: GREEDY, run: true }, { "one of 0.114": whole });
claim("beam/two-beams", { solved: true, run: true }, { "here: 0.306": whole });
claim("beam/two-beams", { settings: GREEDY, run: true }, { "0.306 against 0.142": whole });
claim("beam/worse-than-greedy", { pane: 1, solved: true, run: true }, { "2 beams: 0.045": whole });
claim("beam/worse-than-greedy", { settings: GREEDY, run: true }, { "0.045 against 0.114": whole });

claim("length/short-wins", {}, { "at once with 0.12": prob("."), "Yes: 0.120": prob(".") });
claim(
  "length/short-wins",
  { text: SENTENCE },
  {
    "five tokens of 0.60": (r) => whole(r) ** (1 / 5),
    "0.084 and 0.078": whole,
    "0.60 five times is 0.078": whole,
  },
);
claim("length/short-wins", { text: "Paris ." }, { "against 0.084": whole });
for (const num_beams of [1, 2])
  claim(
    "length/curse",
    { settings: { num_beams }, run: true },
    {
      "writes the sentence": writes(SENTENCE),
    },
  );
claim("length/curse", { run: true }, { "finds the empty answer": writes(".") });
claim(
  "length/penalty",
  { settings: { length_penalty: 0 }, run: true },
  {
    "sums are compared: -2.12": get("best_score"),
  },
);
claim(
  "length/penalty",
  { settings: { ...GREEDY, length_penalty: 0 }, text: SENTENCE },
  {
    "(empty) against -2.55": get("sum_logprob"),
  },
);
claim(
  "length/penalty",
  { text: ".", settings: GREEDY },
  { "means are: -2.12": get("mean_logprob") },
);
claim(
  "length/penalty",
  { run: true },
  {
    "against -0.51": get("best_score"),
    "the sentence wins": writes(SENTENCE),
  },
);
claim(
  "length/too-much",
  { run: true },
  {
    "the limit of 8": get("new_tokens"),
    "without a full stop": (r) => !r("text").includes("."),
  },
);
claim(
  "length/early",
  { run: true },
  {
    "(-0.86": get("best_score"),
    "a poorer text": (r) => r("text") !== SENTENCE,
  },
);
claim(
  "length/early",
  { settings: { early_stopping: false }, run: true },
  {
    "False: when": writes(SENTENCE),
  },
);
claim(
  "length/early",
  { settings: { early_stopping: "never" }, run: true },
  {
    "`never`: when": writes(SENTENCE),
  },
);
claim("length/smallest", { solved: true, run: true }, { 0.15: writes(SENTENCE) });
claim(
  "length/smallest",
  { settings: { length_penalty: 0.1 }, run: true },
  {
    "the smallest length penalty": writes("."),
  },
);

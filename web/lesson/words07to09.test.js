/** What lessons 7 to 9 say, played. Wants `make wasm`. */

import { claim, gap, get, kept, prob, ratio } from "../../tools/nodeengine/claims.js";

/** The scatter of 1,000 draws. @type {import("../../tools/nodeengine/claims.js").Value} */
const scatter = (r) => Math.sqrt(1000 * r("prob", "Rome") * (1 - r("prob", "Rome")));
claim(
  "sampling/lottery",
  {},
  {
    "Paris has 0.891": prob("Paris"),
    "Rome 0.063": prob("Rome"),
    "Yes, about 63": (r) => 1000 * r("prob", "Rome"),
    "that is 1,000 x 0.063": prob("Rome"),
    "give or take 8": scatter,
  },
);
claim(
  "sampling/counts",
  {},
  {
    "1,000 x 0.063": prob("Rome"),
    "x 0.937": (r) => 1 - r("prob", "Rome"),
    "plus or minus 8": scatter,
  },
);
claim(
  "sampling/die",
  {},
  {
    "below 0.891": prob("Paris"),
    "from there to 0.954": prob("Paris", "Rome"),
    "0.954 Rome": (r) => r("drawn_token") === "Rome",
  },
);
claim(
  "sampling/tail",
  { model: "toy:capital" },
  { "with probability 0.63": () => 1 - 0.99 ** 100 },
);
claim("sampling/teacher", {}, { "1 - 0.99^100 = 0.634": () => 1 - 0.99 ** 100 });
claim(
  "sampling/set-die",
  { solved: true },
  {
    "Paris and Rome end: 0.954": prob("Paris", "Rome"),
    "Between 0.9535": prob("Paris", "Rome"),
    "and 0.9755": prob("Paris", "Rome", "the"),
    "lies *the*": (r) => r("drawn_token") === "the",
  },
);

const ALL = { top_k: 0 };
claim(
  "top-k/two-steps",
  { model: "toy:capital", taken: [], settings: ALL },
  {
    "Paris has 0.994": prob("Paris"),
    "Yes: 0.0004": prob("a", "."),
  },
);
claim(
  "top-k/two-steps",
  { settings: ALL },
  {
    "one with 0.35": prob("Paris"),
    "0.35, 0.30": prob("Rome"),
    "0.30, 0.20": prob("."),
    "0.20, 0.10": prob("a"),
    "and 0.05": prob("the"),
    "against 0.15": prob("a", "the"),
  },
);
claim("top-k/fixed", {}, { "the three keep 0.9996": get("kept_mass") });
claim(
  "top-k/fixed",
  { pane: 1 },
  {
    "they keep 0.85": get("kept_mass"),
    "two sensible tokens are gone": (r) => r("kept_count") === 3,
  },
);
claim("top-k/ninety", { solved: true }, { "keeps 0.95": get("kept_mass") });
claim("top-k/two-left", { settings: { top_k: 0 } }, { "e^(5.3": gap("Paris", "Rome") });
claim(
  "top-k/two-left",
  { solved: true },
  {
    "5) = 2.9": ratio("Paris", "Rome"),
    "Rome has 0.257": prob("Rome"),
  },
);
claim(
  "top-k/ninety",
  { solved: true, model: "toy:capital", taken: [], settings: { top_k: 1 } },
  {
    "At the sure step k = 1 would do": (r) => r("kept_mass") > 0.9 && kept("Paris")(r),
  },
);

claim(
  "top-p/rule",
  { settings: { top_p: 1 } },
  {
    "have 0.891": prob("Paris"),
    "0.891, 0.063": prob("Rome"),
    "0.063, 0.022": prob("the"),
    "0.022, 0.017": prob("a"),
    "and 0.007": prob("."),
    "Paris has 0.891": prob("Paris"),
    "the sum to 0.954": prob("Paris", "Rome"),
  },
);
claim("top-p/rule", {}, { "two stay": kept("Paris", "Rome") });
claim("top-p/crossing", { settings: { top_p: 1 } }, { "Paris: 0.891": prob("Paris") });
claim("top-p/crossing", {}, { "Rome: 0.954": get("kept_mass") });
claim(
  "top-p/slip",
  {},
  {
    0.891: get("slip_kept_mass"),
    "throws Rome away": (r) => r("slip_nucleus_size") === 1,
  },
);
claim("top-p/adapts", { model: "toy:capital" }, { "p = 0.9 keeps one": kept("Paris") });
claim(
  "top-p/three-at-two",
  { settings: { top_p: 1 } },
  {
    "Two tokens hold 0.9535": prob("Paris", "Rome"),
    "three hold 0.9755": prob("Paris", "Rome", "the"),
    "above 0.9535": prob("Paris", "Rome"),
    "up to 0.9755": prob("Paris", "Rome", "the"),
  },
);
claim(
  "top-p/three-at-one",
  { settings: { top_p: 1 } },
  {
    "Two tokens hold 0.99896": prob("Paris", "Rome"),
    "three hold 0.99956": prob("Paris", "Rome", "the"),
    "The window is 0.0006": prob("the"),
  },
);
claim(
  "top-p/three-at-one",
  { solved: true },
  {
    "0.9995 lies in it": (r) => r("nucleus_size") === 3,
    "The slip would keep 2": get("slip_nucleus_size"),
  },
);

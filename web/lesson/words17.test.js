/** What the lessons say of GPT-2, played on its stored steps. Wants `make wasm`. */

import { claim, get } from "../../tools/nodeengine/claims.js";

/** @typedef {import("../../tools/nodeengine/claims.js").Read} Read */

const STEPS = ["step:visualize", "step:spaceship", "step:planet"];

/** What the tokens after the first thousand hold. @type {(r: Read) => number} */
const tail = (r) => 100 - 100 * r("model_kept_mass");
/** What a filter throws away. @type {(r: Read) => number} */
const lost = (r) => 100 - 100 * r("kept_mass");
/** @param {string} name @param {Record<string, any>} settings @param {string[]} said one a step @param {(r: Read) => number | boolean} value */
function measured(name, settings, said, value) {
  said.forEach((phrase, i) => {
    claim(name, { model: STEPS[i], settings }, { [phrase]: value });
  });
}
const PLAIN = { strategy: "sampling", temperature: 1, top_k: 0, top_p: 1 };
measured(
  "sampling/tail",
  { ...PLAIN, top_k: 1000 },
  ["1,000 held 2", "2 %, 18", "18 % and 19"],
  tail,
);
measured("top-k/real", { ...PLAIN, top_k: 50 }, ["threw away 34", "34 %, 51", "51 % and 60"], lost);
measured(
  "surprise/choices",
  PLAIN,
  ["measured 139", "139, 548", "548 and 893"],
  get("effective_choices"),
);

measured(
  "top-p/adapts",
  { ...PLAIN, top_p: 0.9 },
  ["about 300", "300, 2,300", "and 2,200"],
  (r) => {
    const n = r("nucleus_size");
    const step = n < 1000 ? 10 : 100;
    return Math.round(n / step) * step;
  },
);

claim(
  "true-steps/visualize",
  {},
  {
    "GPT-2 has 50,257": get("vocab_size"),
    "it keeps 295": get("nucleus_size"),
    "It keeps 295": get("nucleus_size"),
  },
);
claim("true-steps/visualize", { settings: PLAIN }, { "has 0.158": get("top_prob") });
claim("true-steps/spaceship", {}, { "now keeps 2,323": get("nucleus_size") });
claim(
  "true-steps/spaceship",
  { settings: { temperature: 1.5, top_p: 1, top_k: 1000 } },
  {
    "less than one half": (r) => r("kept_mass") < 0.5,
  },
);
claim("true-steps/planet", {}, { "throws 60": lost });
claim("true-steps/planet", { settings: { top_k: 0 } }, { "token has 0.035": get("top_prob") });
claim("true-steps/planet", { model: STEPS[0] }, { "threw away 34": lost });
measured(
  "true-steps/order",
  { ...PLAIN, temperature: 0.7, top_p: 0.9 },
  ["have 42", "42, 76", "76 and 251"],
  get("nucleus_size"),
);
measured(
  "true-steps/order",
  { ...PLAIN, top_p: 0.9 },
  ["they have 295", "295, 2,323", "2,323 and 2,160"],
  get("nucleus_size"),
);
claim(
  "true-steps/as-much",
  { settings: { top_k: 0, top_p: 0.9 } },
  { "It takes 2,323": get("nucleus_size") },
);
claim(
  "true-steps/as-much",
  { settings: { top_k: 2322 } },
  { "as many tokens as you need": (r) => r("kept_mass") < 0.9 },
);
claim("true-steps/hundred", { solved: true }, { "has 74": get("nucleus_size") });

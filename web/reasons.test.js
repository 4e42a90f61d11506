/** The engine's reasons in words, as core/decode says them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { reasonInWords } from "./reasons.js";

const SAID = {
  "the end-of-sequence token was taken": "The end token was taken.",
  "the steps took 1.20 s, and 1 s are the limit": "The steps took 1.2 s; 1 s are the limit.",
  "12 new tokens are there, the limit": "12 new tokens are there, the limit.",
  "the text has 30 tokens with its prompt, the limit":
    "With its prompt the text has 30 tokens, the limit.",
  "the text has 256 tokens, and the model reads no more than 256":
    "The text has 256 tokens; the model reads no more than 256.",
  'the text "The" has appeared': "“The” has appeared.",
  "every token is removed: no text goes on": "Every token is removed: no text goes on.",
  "every text has ended": "Every text has ended.",
  "the best running text would score -0.51 now, the worst finished one has -0.338":
    "The best running text would score −0.51 now, the worst finished one has −0.338.",
  "the best running text would score -1e-05 at full length, the worst finished one has 2":
    "The best running text would score −0.00001 at full length, the worst finished one has 2.",
  "early_stopping is true and 3 texts are finished":
    "early_stopping is true and 3 texts are finished.",
  "it ends at place 5, beyond num_beams 3: thrown away":
    "It ends at place 5, beyond the 3 beams: thrown away.",
  "place 4, beyond num_beams 3": "Place 4, beyond the 3 beams.",
  "pushed out by better finished texts": "Better finished texts pushed it out.",
  "no continuation stayed after step 3": "No continuation of it stayed after step 3.",
  "the search ended: every text has ended": "The search ended. Every text has ended.",
};

for (const [reason, words] of Object.entries(SAID))
  test(reason, () => assert.equal(reasonInWords(reason), words));

test("a reason without words of its own stays as it is", () => {
  assert.equal(reasonInWords("contrasted with layer 4"), "contrasted with layer 4");
});

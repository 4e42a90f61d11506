/** What is left out of a link's settings when its model is there. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadPage } from "../tools/nodeengine/lessons.js";
import { startEngine } from "../tools/nodeengine/nodeengine.js";
import { judged } from "./judge.js";
import { readFragment } from "./readfragment.js";
import { checked } from "./settings.js";

const ask = await startEngine();
const described = ask("describe", {});
const model = await loadPage(ask);
let calls = 0;
const engine = /** @type {any} */ ({
  call: async (/** @type {string} */ method, /** @type {any} */ params) => {
    calls++;
    return ask(method, params);
  },
});
const text = { prompt: "The cat ran after a", bos: false };

/** What is left of the settings of a link. @param {string} query */
async function left(query) {
  const { state, refused } = readFragment(`#explore?v=1&${query}`);
  assert.deepEqual(refused, []);
  const all = { settings: /** @type {any} */ (state.settings), panes: state.panes ?? [] };
  all.settings = checked(described, all.settings).settings;
  return judged({ engine, described, model, text }, all);
}

test("settings that no model has to judge cost no call", async () => {
  calls = 0;
  const { problems } = await left("strategy=beam,num_beams=3&stages=top_k:5&seed=4");
  assert.deepEqual([problems, calls], [[], 0]);
});

test("what is good stays as it was said", async () => {
  const { settings, problems } = await left(
    "strategy=dola,dola_layers=2&stages=top_k:5;bad_words_ids:&end=.&end=%0A&max_length=9" +
      "&list=dola.dola_layer_list=1&list=bad_words_ids.bad_words_ids=two+words%0Athree",
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(settings.endTokens, [".", "\n"]);
  assert.equal(
    settings.stages.find((s) => s.on && s.kind === "bad_words_ids")?.lists.bad_words_ids,
    "two words\nthree",
  );
  assert.equal(settings.strategyArgs.dola.dola_layers, 2);
  assert.equal(settings.max_length, 9);
});

for (const [query, named] of /** @type {[string, string[]][]} */ ([
  ["end=hello+world&end=.", ["end hello world"]],
  ["max_length=5", ["max_length 5"]],
  [`strategy=assisted&draft=${model.n_layer}`, [`draft ${model.n_layer}`]],
  ["strategy=dola,dola_layers=2&list=dola.dola_layer_list=99", ["list dola.dola_layer_list=99"]],
  [
    "stages=forced_bos_token_id:&list=forced_bos_token_id.forced_bos_token_id=two+words",
    ["list forced_bos_token_id.forced_bos_token_id=two words"],
  ],
  [
    "stages=-guidance_scale:2;suppress_tokens:&list=suppress_tokens.no_such=a&list=guidance_scale.negative_prompt_ids=a%0Ab",
    ["list guidance_scale.negative_prompt_ids=a\nb", "list suppress_tokens.no_such=a"],
  ],
  [
    "pane=own!sampling!sequence_bias:&pane=greedy!greedy!&list=1/sequence_bias.sequence_bias=a%3D1.2.3",
    ["pane 1 list sequence_bias.sequence_bias=a=1.2.3"],
  ],
]))
  test(`left out and named: ${query}`, async () => {
    const first = await left(query.includes("pane") ? `seed=1&${query}` : query);
    assert.deepEqual(first.problems, named);
    // The rest is taken.
    const again = await judged({ engine, described, model, text }, first);
    assert.deepEqual(again.problems, []);
  });

import assert from "node:assert/strict";
import test from "node:test";
import { pythonCode } from "./python.js";

/** @typedef {import("../api.d.ts").Stage} Stage */

/** Names in the order of the default pipeline, and which of them only sampling uses. */
const ORDER =
  "guidance_scale logit_bias repetition_penalty dry no_repeat_ngram_size bad_words_ids min_length min_new_tokens forced_eos_token_id exponential_decay_length_penalty suppress_tokens begin_suppress_tokens";
const WARPERS = "temperature top_k top_p min_p typical_p xtc";
const LISTS = ["logit_bias", "bad_words_ids"];

const kind = (/** @type {string} */ name, /** @type {object} */ more) =>
  /** @type {any} */ ({
    name,
    label: `«${name}»`,
    params: LISTS.includes(name) ? [{ name, type: "sequences" }] : [{ name, type: "number" }],
    ...more,
  });
const described = /** @type {import("../api.d.ts").Described} */ (
  /** @type {unknown} */ ({
    processors: [
      ...ORDER.split(" ").map((n) => kind(n, { warper: false })),
      ...WARPERS.split(" ").map((n) => kind(n, { warper: true })),
    ],
    strategies: [
      kind("greedy", { samples: false }),
      kind("sampling", { samples: true }),
      kind("beam", { samples: false }),
      kind("contrastive", { samples: false }),
      kind("mirostat", { samples: true }),
      kind("dola", { samples: false }),
    ],
  })
);

/** @param {string} name @param {number} v @param {Record<string, number>} [more] @returns {Stage} */
const stage = (name, v, more = {}) => ({
  kind: name,
  on: true,
  args: { [name]: v, ...more },
  seqs: [],
});

/** @param {Partial<import("../api.d.ts").Settings>} settings @param {Partial<import("./python.js").Job>} [job] */
const code = (settings, job = {}) =>
  pythonCode(described, {
    prompt: "The cat",
    bos: false,
    model: { name: "GPT-2", source: "openai-community/gpt2@607a30d" },
    byHand: false,
    settings: {
      strategy: "sampling",
      strategyArgs: {},
      strategySeqs: [],
      stages: [],
      seed: 21,
      die: -1,
      max_new_tokens: 20,
      max_length: 0,
      max_time: 0,
      eos: [50256],
      stop: [],
      draft: 0,
      assistant_early_exit: 0,
      ...settings,
    },
    ...job,
  });

/** The arguments of generate, by name. @param {string} text */
const args = (text) =>
  Object.fromEntries([...text.matchAll(/^ {4}(\w+)=(.*),$/gm)].map((m) => [m[1], m[2]]));

test("sampling says what is off, and floats are floats", () => {
  const text = code({ stages: [stage("temperature", 2), { ...stage("top_p", 0.5), on: false }] });
  const { do_sample, temperature, top_k, top_p } = args(text);
  assert.deepEqual([do_sample, temperature, top_k, top_p], ["True", "2.0", "0", "1.0"]);
  assert.match(text, /set_seed\(21\).*another text/);
});

test("greedy names no warper and no seed", () => {
  const text = code({
    strategy: "greedy",
    stages: [stage("temperature", 0.7), stage("repetition_penalty", 1.2)],
  });
  const got = args(text);
  assert.equal(got.do_sample, "False");
  assert.equal(got.repetition_penalty, "1.2");
  assert.ok(!("temperature" in got) && !("top_k" in got));
  assert.doesNotMatch(text, /set_seed/);
});

test("beams and contrastive search with their version", () => {
  const beam = { num_beams: 4, length_penalty: 1, early_stopping: 2, num_return_sequences: 1 };
  const got = args(code({ strategy: "beam", strategyArgs: beam }));
  assert.deepEqual(
    [got.num_beams, got.length_penalty, got.early_stopping, got.do_sample],
    ["4", "1.0", '"never"', "False"],
  );
  const text = code({ strategy: "contrastive", strategyArgs: { penalty_alpha: 0.6, top_k: 4 } });
  assert.match(text, /transformers==4\.46\.3/);
  assert.equal(args(text).top_k, "4");
});

test("an order that is not generate's own becomes a list of classes", () => {
  const text = code({ stages: [stage("top_p", 0.9), stage("temperature", 0.8)] });
  const got = args(text);
  assert.equal(got.logits_processor, "stages");
  assert.deepEqual([got.temperature, got.top_k, got.top_p], ["1.0", "0", "1.0"]);
  assert.ok(
    text.indexOf("TopPLogitsWarper(top_p=0.9)") < text.indexOf("TemperatureLogitsWarper(temp"),
  );
  assert.match(text, /import[\s\S]*TopPLogitsWarper/);
});

test("a least number of tokens needs the class, too", () => {
  const text = code({ stages: [stage("top_k", 5, { min_tokens_to_keep: 3 })] });
  assert.match(text, /TopKLogitsWarper\(top_k=5, min_tokens_to_keep=3\)/);
});

test("what transformers has not is said, in the stages and as a strategy", () => {
  assert.match(code({ stages: [stage("xtc", 0.5)] }), /# transformers has no «xtc»: left out\./);
  assert.match(code({ strategy: "mirostat" }), /^# transformers has no «mirostat»/);
});

test("temperature 0 is do_sample=False", () => {
  const text = code({ stages: [stage("temperature", 0), stage("top_k", 40)] });
  assert.equal(args(text).do_sample, "False");
  assert.ok(!("top_k" in args(text)));
});

test("lists, stop texts and no end", () => {
  const seqs = [{ param: "bad_words_ids", ids: [7, 8], bias: 0 }];
  const text = code({
    stages: [
      { ...stage("bad_words_ids", 0), args: {}, seqs },
      { ...stage("logit_bias", 0), args: {}, seqs: [] },
    ],
    stop: ["\n", 'a"'],
    eos: [],
  });
  const got = args(text);
  assert.equal(got.bad_words_ids, "[[7, 8]]");
  assert.equal(got.stop_strings, '["\\n", "a\\""]');
  assert.equal(got.tokenizer, "tokenizer");
  assert.ok(!("sequence_bias" in got), "an empty list is no stage");
  assert.match(text, /generation_config\.eos_token_id = None/);
});

test("no text leaves its string or its comment", () => {
  const prompt = '"); import os #\n\u2028\\';
  const text = code({}, { prompt, model: { name: "x\nimport os", source: "" } });
  assert.ok(text.includes(JSON.stringify(prompt)));
  assert.ok(!text.split("\n").some((line) => line.startsWith("import os")));
  const mark = code({}, { prompt: "a <|endoftext|> b" });
  assert.match(mark, /split_special_tokens=True/);
});

test("limits, several ends, guidance and the layers of DoLa are said", () => {
  const text = code({
    max_new_tokens: 0,
    max_length: 40,
    max_time: 2.5,
    eos: [50256, 13],
    stages: [
      {
        ...stage("guidance_scale", 1.5),
        seqs: [{ param: "negative_prompt_ids", ids: [464, 3797], bias: 0 }],
      },
    ],
  });
  const said = args(text);
  assert.equal(said.max_length, "40");
  assert.equal(said.max_new_tokens, undefined);
  assert.equal(said.max_time, "2.5");
  assert.equal(said.eos_token_id, "[50256, 13]");
  assert.equal(said.guidance_scale, "1.5");
  assert.equal(said.negative_prompt_ids, "torch.tensor([[464, 3797]])");
  assert.match(text, /^import torch$/m);
});

test("DoLa takes the layers that were typed", () => {
  const text = code({
    strategy: "dola",
    strategyArgs: { dola_layers: 2 },
    strategySeqs: [{ param: "dola_layer_list", ids: [2, 4], bias: 0 }],
  });
  assert.equal(args(text).dola_layers, "[2, 4]");
});

test("an own end is said where the model's is off", () => {
  assert.equal(args(code({ eos: [13] })).eos_token_id, "13");
  assert.equal(args(code({ eos: [50256] })).eos_token_id, undefined);
});

test("in a chosen order every stage is in the list, with its ends and lengths", () => {
  const listed = (/** @type {string} */ name, /** @type {number[]} */ ids) => ({
    ...stage(name, 0),
    seqs: [{ param: name, ids, bias: 0 }],
  });
  const decay = { start_index: 2, decay_factor: 1.5 };
  const stages = [
    stage("repetition_penalty", 1.2),
    listed("begin_suppress_tokens", [9]),
    listed("suppress_tokens", [7, 8]),
    { ...stage("exponential_decay_length_penalty", 0), args: decay },
    listed("forced_eos_token_id", [13]),
    stage("min_new_tokens", 3),
    stage("min_length", 5),
    listed("bad_words_ids", [4]),
    { ...stage("guidance_scale", 1.5), seqs: [{ param: "n", ids: [464], bias: 0 }] },
  ];
  const text = code({ strategy: "greedy", eos: [13, 50256], stages });
  const length = 'inputs["input_ids"].shape[1]';
  const list = text.split("LogitsProcessorList([\n")[1].split("\n])")[0];
  assert.deepEqual(
    list.split("\n").map((line) => line.trim().slice(0, -1)),
    [
      "RepetitionPenaltyLogitsProcessor(penalty=1.2)",
      `SuppressTokensAtBeginLogitsProcessor([9], ${length})`,
      "SuppressTokensLogitsProcessor([7, 8])",
      `ExponentialDecayLengthPenalty((2, 1.5), [13, 50256], ${length})`,
      `ForcedEOSTokenLogitsProcessor(${length} + 20, 13)`,
      `MinNewTokensLengthLogitsProcessor(${length}, 3, [13, 50256])`,
      "MinLengthLogitsProcessor(5, [13, 50256])",
      "NoBadWordsLogitsProcessor([[4]], eos_token_id=[13, 50256])",
      "UnbatchedClassifierFreeGuidanceLogitsProcessor(1.5, model, torch.tensor([[464]]))",
    ],
  );
  assert.ok(!("min_length" in args(text)) && !("negative_prompt_ids" in args(text)));
});

test("without an end, a stage on the ends is left out", () => {
  const text = code({ eos: [], stages: [stage("temperature", 0.8), stage("min_length", 5)] });
  assert.doesNotMatch(text, /min_length|MinLength|stages/);
});

test("the order is blamed only where it differs", () => {
  const kept = stage("top_k", 5, { min_tokens_to_keep: 3 });
  assert.doesNotMatch(code({ stages: [kept] }), /not generate's own/);
  assert.match(code({ stages: [kept] }), /does not take min_tokens_to_keep/);
  assert.match(code({ stages: [kept, stage("temperature", 0.8)] }), /not generate's own/);
});

test("both least lengths together are a list: generate would drop one", () => {
  const both = code({ eos: [50256], stages: [stage("min_length", 9), stage("min_new_tokens", 5)] });
  assert.match(both, /takes min_new_tokens in place of min_length, so the stages are a list/);
  assert.match(both, /MinLengthLogitsProcessor\(9, /);
  const one = code({ eos: [50256], stages: [stage("min_new_tokens", 5)] });
  assert.match(one, /min_new_tokens=5,/);
});

test("a typed mark stays text behind a first token", () => {
  const text = code({}, { prompt: "a <|endoftext|>", bos: true });
  assert.match(text, /tokenizer\("a <\|endoftext\|>", split_special_tokens=True\)\["input_ids"\]/);
  assert.match(text, /\[tokenizer\.bos_token_id\] \+ ids/);
  assert.match(text, /^import torch$/m);
});

/** The same decoding as a call of transformers, in Python. */

import { bool, list, PROMPT_LENGTH, STAGES, STRATEGIES, str } from "./pykinds.js";

/**
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").Settings} WireSettings
 * @typedef {import("../api.d.ts").Stage} Stage
 *
 * @typedef {object} Job
 * @property {string} prompt
 * @property {boolean} bos
 * @property {WireSettings} settings
 * @property {{name: string, source: string}} model
 * @property {boolean} byHand whether tokens of the text were taken by hand
 */

const HUB = "openai-community/gpt2";
const MARK = "<|endoftext|>";
/** GPT-2's own end, which generate takes by itself. */
const END = 50256;
/** What is off has to be said: a model's own generation_config may set it, and
 * top_k is 50 where nobody says anything.
 * @type {[string, string][]} */
const OFF = [
  ["temperature", "1.0"],
  ["top_k", "0"],
  ["top_p", "1.0"],
];

/** @param {Described} described @param {Job} job */
export function pythonCode(described, job) {
  const { settings } = job;
  const strategy = described.strategies.find((k) => k.name === settings.strategy);
  const known = STRATEGIES[settings.strategy];
  const label = strategy?.label ?? settings.strategy;
  if (!known)
    return `# transformers has no ${label}.\n# It can be written as a LogitsProcessor of your own.\n`;

  const samples = strategy?.samples ?? false;
  const { stages, frozen, notes } = sortStages(described, settings, samples);
  const reason = whyListed(described, stages);
  const chain = reason ? stages : null;
  if (reason) notes.push(`${reason}, so the stages are a list.`);
  const layers = settings.strategySeqs.flatMap((s) => s.ids);
  const own = known.args(settings.strategyArgs, { layers });
  const args = /** @type {Map<string, string>} */ (new Map());
  args.set("do_sample", bool(samples && !frozen));
  if (samples && !frozen) for (const [name, v] of OFF) args.set(name, v);
  for (const s of stages) {
    if (chain?.includes(s)) continue;
    const [name, v] = STAGES[s.kind].arg(s);
    const before = args.get(name);
    // Biases of tokens and of sequences are one argument.
    args.set(name, name === "sequence_bias" && before ? joined(before, v) : v);
  }
  for (const [name, v] of own) args.set(name, v);
  if (chain) args.set("logits_processor", "stages");
  const negative = stages.find((s) => s.kind === "guidance_scale")?.seqs.flatMap((s) => s.ids);
  if (negative?.length && !chain)
    args.set("negative_prompt_ids", `torch.tensor([[${negative.join(", ")}]])`);
  if (settings.max_length) args.set("max_length", String(settings.max_length));
  else args.set("max_new_tokens", String(settings.max_new_tokens));
  if (settings.max_time) args.set("max_time", String(settings.max_time));
  const eos = endsOf(settings.eos);
  if (settings.eos.length > 1 || (settings.eos.length && settings.eos[0] !== END))
    args.set("eos_token_id", eos);
  if (settings.stop.length) {
    args.set("stop_strings", `[${settings.stop.map(str).join(", ")}]`);
    args.set("tokenizer", "tokenizer");
  }
  args.set("pad_token_id", "tokenizer.eos_token_id");
  if (settings.assistant_early_exit)
    notes.push(
      `The page's draft is the model's own first blocks, ${settings.assistant_early_exit}; here it is another model.`,
    );
  if (job.byHand) notes.push("Tokens that were taken by hand are not part of it.");

  const hub = /^[\w.-]+\/[\w.-]+/.exec(job.model.source)?.[0];
  const around = {
    eos,
    longest: settings.max_length
      ? String(settings.max_length)
      : `${PROMPT_LENGTH} + ${settings.max_new_tokens}`,
  };
  const calls = (chain ?? []).map((s) => STAGES[s.kind].call(s, around));
  const classes = calls.map((call) => call.replace(/\(.*/s, ""));
  const prompt = promptLines(job);
  const imports = [
    "AutoModelForCausalLM",
    "AutoTokenizer",
    ...(chain ? ["LogitsProcessorList"] : []),
  ];
  const seeded = samples && !frozen;
  if (seeded) imports.push("set_seed");
  imports.push(...new Set(classes));
  return [
    `# pip install torch ${known.version ? `"transformers==${known.version}"  # newer ones have no ${label}` : "transformers"}`,
    ...notes.map((note) => `# ${note}`),
    ...(negative?.length || prompt.length > 1 ? ["import torch"] : []),
    importing(imports),
    "",
    `name = ${str(hub ?? HUB)}${hub ? "" : `  # ${oneLine(job.model.name)} is not on the Hub; this has the same tokenizer`}`,
    "tokenizer = AutoTokenizer.from_pretrained(name)",
    "model = AutoModelForCausalLM.from_pretrained(name)",
    ...(settings.strategy === "assisted"
      ? ['draft = AutoModelForCausalLM.from_pretrained("distilbert/distilgpt2")']
      : []),
    ...(settings.eos.length
      ? []
      : ["model.generation_config.eos_token_id = None  # never ends by itself"]),
    ...prompt,
    ...(chain
      ? ["stages = LogitsProcessorList([", ...calls.map((call) => `    ${call},`), "])"]
      : []),
    "",
    ...(seeded
      ? [
          `set_seed(${settings.seed % 2 ** 32})  # other random numbers than the page's: same shares, another text`,
        ]
      : []),
    "output = model.generate(",
    "    **inputs,",
    ...[...args].map(([name, v]) => `    ${name}=${v},`),
    ")",
    "print(tokenizer.decode(output[0]))",
    "",
  ].join("\n");
}

/**
 * The stages that act and that transformers has; what it has not is said.
 *
 * @param {Described} described
 * @param {WireSettings} settings
 * @param {boolean} samples
 */
function sortStages(described, settings, samples) {
  /** @type {string[]} */
  const notes = [];
  const kind = (/** @type {Stage} */ s) => described.processors.find((k) => k.name === s.kind);
  const acting = settings.stages.filter((s) => s.on && (samples || !kind(s)?.warper));
  for (const s of acting)
    if (!STAGES[s.kind]) notes.push(`transformers has no ${kind(s)?.label ?? s.kind}: left out.`);
    else if (s.args.typical_rule) notes.push("transformers keeps its own rule of Typical-p.");
  let stages = acting.filter(
    (s) =>
      STAGES[s.kind] &&
      (s.seqs.length || !wantsList(kind(s))) &&
      (settings.eos.length || !STAGES[s.kind].ends),
  );
  // transformers refuses 0; its limit is the likeliest token.
  const frozen = stages.some((s) => s.kind === "temperature" && s.args.temperature === 0);
  if (frozen) {
    notes.push("Temperature 0 takes the likeliest token: do_sample=False.");
    stages = stages.filter((s) => !kind(s)?.warper);
  }
  return { stages, frozen, notes };
}

/** Whether a kind does nothing without a list. @param {import("../api.d.ts").Kind | undefined} kind */
const wantsList = (kind) => kind?.params.every((p) => p.type === "sequences") ?? false;

/**
 * Why the stages have to be given as a list and not as arguments of generate;
 * empty: they need not.
 *
 * @param {Described} described
 * @param {Stage[]} stages
 */
function whyListed(described, stages) {
  const has = (/** @type {string} */ kind) => stages.some((s) => s.kind === kind);
  if (!inOrder(described, stages)) return "The order is not generate's own";
  if (stages.some((s) => (s.args.min_tokens_to_keep ?? 1) !== 1))
    return "generate does not take min_tokens_to_keep";
  if (has("min_length") && has("min_new_tokens"))
    return "generate takes min_new_tokens in place of min_length";
  return "";
}

/** Whether the stages stand as generate runs them. @param {Described} described @param {Stage[]} stages */
function inOrder(described, stages) {
  const place = (/** @type {Stage} */ s) =>
    described.processors.findIndex((k) => k.name === s.kind);
  return stages.every((s, i) => i === 0 || place(stages[i - 1]) < place(s));
}

/** The ends as generate takes them. @param {number[]} eos */
const endsOf = (eos) => (eos.length > 1 ? list(eos) : String(eos[0] ?? "None"));

/** Two Python lists as one. @param {string} a @param {string} b */
const joined = (a, b) => `${a.slice(0, -1)}, ${b.slice(1)}`;

/** The lines that make the inputs. @param {Job} job */
function promptLines({ prompt, bos }) {
  const call = (/** @type {string} */ args) => [`inputs = tokenizer(${args}, return_tensors="pt")`];
  if (!prompt.includes(MARK)) return call(`${bos ? "tokenizer.bos_token + " : ""}${str(prompt)}`);
  // Typed, the mark is text; as a chip it is the token.
  const plain = `${str(prompt)}, split_special_tokens=True`;
  if (!bos) return call(plain);
  return [
    `ids = tokenizer(${plain})["input_ids"]`,
    "ids = torch.tensor([[tokenizer.bos_token_id] + ids])",
    'inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}',
  ];
}

/** @param {string[]} names */
function importing(names) {
  const line = `from transformers import ${names.join(", ")}`;
  if (line.length <= 88) return line;
  return ["from transformers import (", ...names.map((n) => `    ${n},`), ")"].join("\n");
}

/** A name that cannot leave its comment. @param {string} text */
const oneLine = (text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").slice(0, 80);

// Generated from wasm/api/wire*.go: go test ./wasm/api -run TestDTS -update

/** Nothing is the empty object: no parameters, or nothing to answer. */
export type Nothing = Record<string, never>;

/** Described is the answer to describe: all that can be picked and tuned. */
export interface Described {
  /** in default pipeline order */
  processors: Kind[];
  strategies: Kind[];
  charts: Chart[];
  /** the default first */
  orders: Order[];
}

/** Order is an order of stages to pick: names of processors, first to last. */
export interface Order {
  name: string;
  label: string;
  doc: string;
  kinds: string[];
}

/** Kind is a spec.Kind on the wire. Warper: acts only when a strategy samples. */
export interface Kind {
  name: string;
  label: string;
  letter: string;
  group: string;
  doc: string;
  formula: string;
  source: string;
  warper: boolean;
  params: Param[];
  samples: boolean;
  beams: boolean;
  draft: boolean;
}

/** Param is a spec.Param on the wire. */
export interface Param {
  name: string;
  label: string;
  doc: string;
  /** number, integer, flag, choice, sequences */
  type: string;
  default: number;
  min: number;
  max: number;
  openMin: boolean;
  openMax: boolean;
  off: number;
  hasOff: boolean;
  low: number;
  high: number;
  step: number;
  /** linear, log, complement */
  scale: string;
  /** in words */
  range: string;
  choices: string[];
  /** of sequences: the ids are plain numbers, not tokens */
  plain: boolean;
}

/** Chart is a chart that can be asked for by name. */
export interface Chart {
  name: string;
  title: string;
  doc: string;
}

/** Settings is everything a decoder is set to. */
export interface Settings {
  strategy: string;
  strategyArgs: Record<string, number>;
  strategySeqs: Sequence[];
  /** in pipeline order; a kind may stand twice */
  stages: Stage[];
  /** a whole number, 0 to 2^53-1 */
  seed: number;
  /** in [0,1): the next step's throw, set by hand; -1: from the seed */
  die: number;
  /** 0: max_length counts */
  max_new_tokens: number;
  /** of the text with its prompt; 0: none */
  max_length: number;
  /** seconds that all steps may take; 0: any */
  max_time: number;
  /** none: never ends by itself */
  eos: number[];
  /** stop strings */
  stop: string[];
  draft: number;
  assistant_early_exit: number;
}

/** Stage is one processor of a pipeline. One that is off is not in the trace. */
export interface Stage {
  kind: string;
  on: boolean;
  args: Record<string, number>;
  seqs: Sequence[];
}

/** Sequence is one entry of a list parameter. */
export interface Sequence {
  param: string;
  ids: number[];
  bias: number;
}

/**
 * Token is a token as a page shows it. Text is empty when the piece is no
 * whole UTF-8 text; Hex has its bytes then ("F0 9F").
 */
export interface Token {
  id: number;
  text: string;
  hex: string;
}

/**
 * Error is what a failed call answers. Code is one of bad_request, unknown,
 * context_full, bad_model, internal; Message is for a person.
 */
export interface Error {
  code: string;
  message: string;
}

/** Part is one file of a model folder; see Manifest. */
export interface Part {
  file: string;
  bytes: number;
  sha256: string;
  codedFile: string;
  codedBytes: number;
  codedSha256: string;
}

/**
 * ModelBegin starts loading: the text of manifest.json. The answer names the
 * parts in order. Each part is then handed over, decoded, by modelPart; the
 * model is ready when modelEnd answers.
 */
export interface ModelBegin {
  manifest: string;
}

/** ModelBegun is the answer to modelBegin. Model is the handle for the rest. */
export interface ModelBegun {
  model: number;
  name: string;
  /** as in ModelInfo */
  hash: string;
  parts: Part[];
}

/**
 * ModelPart hands over decoded bytes of part Index, from byte At on: the whole
 * part, or a piece of it, in order. The part is checked when its last byte came:
 * against SHA256, in hex, where the caller has computed it (a browser does so ten
 * times as fast), else the bytes are hashed here.
 * Bytes come beside the struct; see package wasm.
 */
export interface ModelPart {
  model: number;
  index: number;
  at: number;
  sha256: string;
}

/** ModelRef names a model. */
export interface ModelRef {
  model: number;
}

/**
 * ModelToy makes a table model of a few words, for lessons: the one called
 * Name of the JSON text Toys; core/lm/table has its form.
 */
export interface ModelToy {
  toys: string;
  name: string;
}

/**
 * ModelStep makes a model that knows one step of GPT-2: the token after Prompt.
 * Its logits, little-endian float32, come beside the struct; see package wasm.
 */
export interface ModelStep {
  name: string;
  prompt: string;
}

/** ModelInfo describes a model that is ready. */
export interface ModelInfo {
  model: number;
  id: string;
  name: string;
  /** sha256 of the manifest's parts; part of share links */
  hash: string;
  n_layer: number;
  n_head: number;
  n_embd: number;
  n_positions: number;
  vocab_size: number;
  params: number;
  eos_token_id: number;
  bits: string;
  licence: string;
  source: string;
  toy: boolean;
  prompt: string;
  promptIds: number[];
}

/**
 * Tokenize asks for the tokens of a text, at most one more of them than the
 * model reads. BOS puts the chip <|endoftext|> at the front; the same
 * characters inside Text are plain text.
 */
export interface Tokenize {
  model: number;
  text: string;
  bos: boolean;
}

/** TokenTexts asks for the tokens of ids. */
export interface TokenTexts {
  model: number;
  ids: number[];
}

/**
 * Tokens is a list of tokens. Count is of all, those of a long text that are
 * not listed included.
 */
export interface Tokens {
  tokens: Token[];
  count: number;
}

/** Open makes a session on a prompt. No prompt token is read before feed. */
export interface Open {
  model: number;
  /** at least one, but for toys */
  ids: number[];
  settings: Settings;
}

/** Ref names a session. */
export interface Ref {
  session: number;
}

/** Feed reads up to Count prompt tokens. */
export interface Feed {
  session: number;
  count: number;
}

/** Fed is the answer to feed: prompt tokens read of all. */
export interface Fed {
  done: number;
  total: number;
}

/** Retune changes a session's settings from the next step on. No forward pass. */
export interface Retune {
  session: number;
  settings: Settings;
}

/**
 * Steps takes one step of each session, in one pass over the weights. A session
 * that has stopped stays as it is. The call fails when no session could do what
 * was asked; else the reason of one that couldn't is in its Status.
 */
export interface Steps {
  sessions: number[];
}

/** Stepped is the answer to step, in the order asked. */
export interface Stepped {
  sessions: Status[];
}

/** Force takes the token ID as the next one, whatever the strategy would do. */
export interface Force {
  session: number;
  id: number;
}

/** Rewind keeps the first Steps steps. */
export interface Rewind {
  session: number;
  steps: number;
}

/**
 * Status is a session after a call. Stop is empty while it can go on, else
 * eos, max_new_tokens, max_length, max_time, context, stop_string,
 * early_stopping or no_candidates (beams).
 */
export interface Status {
  session: number;
  /** the prompt is read */
  ready: boolean;
  steps: number;
  stop: string;
  /** the reason in words */
  stopDoc: string;
  /** tokens of the best hypothesis, oldest first */
  text: Step[];
  /** settings that have no effect */
  ignored: Ignored[];
  /** finished texts of a beam search, best first */
  endings: Ending[];
  /** of strategies that guess ahead, one a step */
  rounds: Round[];
  cost: Cost;
  /** why a step of several was refused; see Steps */
  error: Error;
}

/**
 * Ignored is a setting without effect. Place is that of a stage in
 * Settings.Stages; -1 for a parameter of the strategy, or of Settings itself.
 */
export interface Ignored {
  place: number;
  name: string;
  reason: string;
}

/**
 * Ending is a finished text of a beam search. Score is the sum of
 * log-probabilities, Final what it is ranked by. Returned says that it is one
 * of the num_return_sequences that the search gives, now that it is over.
 */
export interface Ending {
  tokens: Token[];
  score: number;
  final: number;
  stop: string;
  stopDoc: string;
  returned: boolean;
}

/**
 * Round is what a step of speculative decoding guessed, and how many of the
 * first guesses the model accepted. They are the step's tokens, with one more
 * of the model's own after them, unless the text ended there.
 */
export interface Round {
  /** as in Step */
  step: number;
  guessed: Token[];
  accepted: number;
}

/**
 * Cost is that of all steps, the prompt not counted: forward passes over the
 * weights of the model and of the draft model, however many texts each served,
 * and seconds.
 */
export interface Cost {
  passes: number;
  draftPasses: number;
  seconds: number;
}

/**
 * Step is one generated token with what was true when it was chosen. Probs are
 * the model's own unless said otherwise; Rank is 1 for the likeliest.
 *
 * Step is the number of steps after which it stood there: rewinding to one
 * less takes it back. It is the token's place, from 1, but for strategies that
 * add several tokens in a step.
 */
export interface Step {
  step: number;
  id: number;
  text: string;
  hex: string;
  /** taken by hand */
  forced: boolean;
  modelProb: number;
  /** after the pipeline */
  prob: number;
  rank: number;
  /** bits, of the model's own */
  surprise: number;
  /** bits, of the model's own */
  entropy: number;
  /** the model's own at p = 0.9 */
  nucleus: number;
  /** -1: none was thrown */
  die: number;
  /** the token's place on the last strip */
  low: number;
  high: number;
}

/**
 * ViewOf asks what the pipeline does at a step: 0 is the first generated
 * token of Status.Text, -1 the next one. Rows is how many tokens are wanted, 1
 * to 1000.
 */
export interface ViewOf {
  session: number;
  step: number;
  rows: number;
}

/**
 * View is one step, stage by stage. Its token list is the union of what the
 * picture, the bars and the table need; Bars and Strip index into it.
 *
 * Strip is the order of the draw: kept tokens from the likeliest down, then
 * the removed ones, those that fell last first; so on every strip the next
 * stage cuts a far end off. Bars is in the order of the model's own rank.
 * Groups are the tokens outside Strip, joined by the stage that removes them,
 * in strip order.
 *
 * A step that was taken stays as it was: Strategy and the stages' Args are those
 * that it was taken with.
 */
export interface View {
  step: number;
  strategy: string;
  /** [0] is the model */
  stages: StageView[];
  tokens: Token[];
  bars: number[];
  strip: number[];
  groups: Group[];
  numbers: Numbers;
  draw: Draw;
  /** likewise: groupProbs[stage*groups.length+group] */
  groupProbs: Float32Array;
  /** the model's */
  logits: Float32Array;
  /** stage by stage: probs[stage*tokens.length+token] */
  probs: Float32Array;
  /** in the model's order, from 1 */
  rank: Int32Array;
  /** index in Stages, -1 = kept */
  removed: Int32Array;
  /** after the pipeline; -Infinity where removed */
  scores: Float32Array;
}

/**
 * StageView is what a stage left: Count tokens. Cut and CutMass are what it
 * removed for good, CutMass of the distribution that came in. Index is its place in
 * Settings.Stages, -1 for the model. Args are its numbers, defaults included.
 */
export interface StageView {
  kind: string;
  index: number;
  args: Record<string, number>;
  count: number;
  cut: number;
  cutMass: number;
  /** bits */
  entropy: number;
}

/** Group is a run of tokens outside Strip. Removed is the stage, -1 = kept. */
export interface Group {
  removed: number;
  count: number;
}

/**
 * Numbers are the readout. NucleusSize is what the top-p stage leaves (what
 * the whole pipeline leaves where there is none); KeptCount is what the whole
 * pipeline leaves. KeptMass is of the distribution that enters the first
 * filter, ModelKeptMass of the model's own.
 */
export interface Numbers {
  nucleus_size: number;
  kept_count: number;
  kept_mass: number;
  model_kept_mass: number;
  /** bits, final */
  entropy: number;
  model_entropy: number;
  /** 2^entropy */
  effective_choices: number;
  model_choices: number;
  /** the one that crosses top_p */
  crossing_token: Token;
  /** its mass and all before it; 0 when no top-p stage cuts */
  crossing_sum: number;
  slip_size: number;
  slip_mass: number;
}

/**
 * Draw is how the token of the step is chosen. Thrown is false where no die
 * is: greedy, beams, a token taken by hand. Token is the index in View.Tokens
 * of the token that is taken or would be, -1 when none is decided yet.
 */
export interface Draw {
  thrown: boolean;
  forced: boolean;
  die: number;
  low: number;
  high: number;
  token: number;
  /** index of the likeliest kept token */
  top: number;
  topEnd: number;
}

/** LogitsOf asks for what the model says comes next in each session's best text. */
export interface LogitsOf {
  sessions: number[];
}

/**
 * Logits are one number a token of the vocabulary, row after row in the order
 * asked. All come from one pass, and the next step uses them again.
 */
export interface Logits {
  logits: Float32Array;
}

/**
 * DrawsOf asks what Count dice would draw at a step: the one that the step's seed
 * gives, and those that follow it in PCG(seed, step). Step is as in ViewOf, Count
 * 1 to 100000.
 */
export interface DrawsOf {
  session: number;
  step: number;
  count: number;
}

/**
 * Draws is how often each token was hit. Tokens are kept ones in the order of
 * the draw, 50 at most, with their final probability; Other is of all the rest.
 */
export interface Draws {
  count: number;
  tokens: Token[];
  expected: number[];
  hits: number[];
  otherTokens: number;
  otherExpected: number;
  otherHits: number;
  /** the first throws, 1000 at most */
  dice: Float32Array;
}

/**
 * Tree is the search of a session, step by step, for strategies that follow
 * several texts. Node 0 is the prompt.
 */
export interface Tree {
  nodes: Node[];
  /** the best hypothesis so far */
  best: number;
}

/**
 * Node is one candidate. State is live, done or pruned, as things stand after
 * the newest step; Reason says why it was pruned or how it ended. Score is the
 * sum of log-probabilities, Final the length-normalised score of one that is
 * done.
 */
export interface Node {
  parent: number;
  /** 1 is the first; 0 the prompt */
  step: number;
  id: number;
  text: string;
  hex: string;
  prob: number;
  score: number;
  final: number;
  /** in its step, from 1 */
  place: number;
  state: string;
  reason: string;
  /** its step went on from it, whatever became of it since */
  kept: boolean;
  /** on the path to Best */
  chained: boolean;
}

/**
 * ChartOf asks for a chart: an ECharts option as JSON. Colours in it are names
 * of the page's custom properties ("--kept"); the page puts the colours in.
 */
export interface ChartOf {
  name: string;
  sessions: number[];
  /** as in ViewOf, of the first session */
  step: number;
  /** of the chart "draws": how many, up to 100000 */
  draws: number;
}

/** ChartJSON is the option. */
export interface ChartJSON {
  option: string;
}

/** Metrics of a session's text so far. Never NaN; an empty text has zeros. */
export interface Metrics {
  session: number;
  tokens: number;
  /** nats, the model's own */
  mean_logprob: number;
  perplexity: number;
  distinct_1: number;
  distinct_2: number;
  distinct_3: number;
  /** share of 4-grams seen before */
  repeated_4: number;
  mean_entropy: number;
  mean_nucleus: number;
  /** tokens that the end repeats three times or more; 0: no loop */
  loop_period: number;
}

/** MetricsOf asks for metrics of sessions. */
export interface MetricsOf {
  sessions: number[];
}

/** AllMetrics is the answer, in the order asked. */
export interface AllMetrics {
  sessions: Metrics[];
}

/**
 * PromptSurpriseOf asks how the model meets up to Count tokens of a session's
 * prompt, 64 at most, from place From on. The prompt has to be read.
 */
export interface PromptSurpriseOf {
  session: number;
  from: number;
  count: number;
}

/** PromptSurprise is the answer, token by token; Total is of the whole prompt. */
export interface PromptSurprise {
  total: number;
  /** in the model's order, from 1; 0 for the first token */
  rank: Int32Array;
  /** bits; -1 for the first token, which nothing precedes */
  surprise: Float32Array;
}

/** What each method takes and answers. */
export interface Methods {
  describe: { params: Nothing; result: Described };
  modelBegin: { params: ModelBegin; result: ModelBegun };
  modelPart: { params: ModelPart; result: Nothing };
  modelEnd: { params: ModelRef; result: ModelInfo };
  modelToy: { params: ModelToy; result: ModelInfo };
  modelStep: { params: ModelStep; result: ModelInfo };
  modelClose: { params: ModelRef; result: Nothing };
  tokenize: { params: Tokenize; result: Tokens };
  tokenTexts: { params: TokenTexts; result: Tokens };
  open: { params: Open; result: Status };
  feed: { params: Feed; result: Fed };
  step: { params: Steps; result: Stepped };
  force: { params: Force; result: Status };
  rewind: { params: Rewind; result: Status };
  fork: { params: Ref; result: Status };
  retune: { params: Retune; result: Status };
  status: { params: Ref; result: Status };
  view: { params: ViewOf; result: View };
  logits: { params: LogitsOf; result: Logits };
  tree: { params: Ref; result: Tree };
  draws: { params: DrawsOf; result: Draws };
  chart: { params: ChartOf; result: ChartJSON };
  metrics: { params: MetricsOf; result: AllMetrics };
  promptSurprise: { params: PromptSurpriseOf; result: PromptSurprise };
  close: { params: Ref; result: Nothing };
}

export type Method = keyof Methods;

/**
 * The state variables by name: what tasks compare, and what a page that embeds
 * this one may ask for. The names are `varname` of lessons/lesson.schema.json,
 * their meaning stands there.
 */

/**
 * @typedef {import("./check.js").Variable} Variable
 * @typedef {import("./check.js").Value} Value
 * @typedef {import("../api.d.ts").Status} Status
 * @typedef {import("../api.d.ts").View} View
 * @typedef {import("../api.d.ts").Tree} Tree
 * @typedef {import("../api.d.ts").Node} Node
 * @typedef {import("../api.d.ts").Draws} Draws
 *
 * @typedef {object} Facts all that is known of one pane
 * @property {Record<string, any>} values its settings, as toFlat gives them
 * @property {string[]} order of the stages that act, by name
 * @property {boolean} toy
 * @property {boolean} beams whether its strategy follows several texts
 * @property {number} eos the end token, -1 for none
 * @property {number} taken tokens that the lesson put after the prompt
 * @property {Status} status
 * @property {View | null} view of the step on screen; null: there is none
 * @property {Tree | null} tree of a search
 * @property {Draws | null} draws made at this step with these settings
 */

const LN2 = Math.LN2;

/** A token without its leading space. @param {{text: string, hex: string}} token */
const plain = (token) => (token.text ? token.text.replace(/^ (?=.)/s, "") : token.hex);

/** The new tokens: those that the lesson took are not. @param {Facts} f */
const fresh = (f) => f.status.text.slice(f.taken);

/** The index of a token in the view; a word stands for itself after a space, too.
 * @param {View} view @param {string} name */
function find({ tokens }, name) {
  const spaced = tokens.findIndex((t) => t.text === ` ${name}`);
  return spaced >= 0 ? spaced : tokens.findIndex((t) => t.text === name);
}

/** @param {View} view @param {number} i @param {number} [stage] the last where none is given */
const share = (view, i, stage = view.stages.length - 1) =>
  view.removed[i] >= 0 && view.removed[i] <= stage ? 0 : view.probs[stage * view.tokens.length + i];

/** The row that enters top_p, or would. @param {Facts} f @param {View} view */
function nucleus(f, { stages, numbers }) {
  if (stages.some((s) => s.kind === "top_p")) return numbers.nucleus_size;
  const at = f.order.indexOf("top_p");
  const before = stages.filter((s) => s.kind === "model" || f.order.indexOf(s.kind) < at);
  return before[before.length - 1].count;
}

/** @type {Record<string, (view: View, f: Facts) => Value>} */
const STEP = {
  nucleus_size: (v, f) => nucleus(f, v),
  kept_count: (v) => v.numbers.kept_count,
  kept_mass: (v) => v.numbers.kept_mass,
  model_kept_mass: (v) => v.numbers.model_kept_mass,
  slip_nucleus_size: (v, f) => v.numbers.slip_size || nucleus(f, v),
  slip_kept_mass: (v) => (v.numbers.slip_size ? v.numbers.slip_mass : 1),
  entropy_bits: (v) => v.numbers.entropy,
  model_entropy_bits: (v) => v.numbers.model_entropy,
  effective_choices: (v) => v.numbers.effective_choices,
  model_effective_choices: (v) => v.numbers.model_choices,
  vocab_size: (v) => v.stages[0].count,
  top_token: (v) => plain(v.tokens[v.draw.top]),
  top_prob: (v) => share(v, v.draw.top),
  die: (v) => (v.draw.thrown ? v.draw.die : undefined),
  drawn_token: (v) => (v.draw.thrown ? plain(v.tokens[v.draw.token]) : undefined),
  drawn_rank: (v) => (v.draw.thrown ? v.rank[v.draw.token] : undefined),
  drawn_prob: (v) => (v.draw.thrown ? share(v, v.draw.token) : undefined),
};

/** @type {Record<string, (view: View, i: number) => Value>} */
const TOKEN = {
  logit: (v, i) => v.logits[i],
  score: (v, i) => (v.removed[i] < 0 ? v.scores[i] : null),
  prob: (v, i) => share(v, i),
  model_prob: (v, i) => share(v, i, 0),
  rank: (v, i) => v.rank[i],
  kept: (v, i) => v.removed[i] < 0,
  removed_by: (v, i) => (v.removed[i] < 0 ? "" : v.stages[v.removed[i]].kind),
  surprise_bits: (v, i) => -Math.log2(share(v, i, 0)),
};

/** @param {Facts} f */
const sumLogProb = (f) => fresh(f).reduce((sum, s) => sum - s.surprise * LN2, 0);
/** @param {Facts} f */
const meanLogProb = (f) => sumLogProb(f) / Math.max(1, fresh(f).length);
/** @param {Facts} f */
const byHand = (f) => fresh(f).filter((s) => s.forced);

/** Why a text ended; of a search, why its best text did. @param {Facts} f */
function stopReason(f) {
  const { stop } = f.status;
  if (!stop || !f.beams) return stop;
  const last = f.status.text.at(-1);
  if (last?.id === f.eos) return "eos";
  return fresh(f).length >= f.values.max_new_tokens ? "max_new_tokens" : stop;
}

/** The smallest n such that the last 3n are three equal blocks of n; 0: none.
 * @param {number[]} ids */
export function loopPeriod(ids) {
  for (let n = 1; 3 * n <= ids.length; n++) {
    const end = ids.slice(-3 * n);
    if (end.every((id, i) => i < n || id === end[i - n])) return n;
  }
  return 0;
}

/** @param {Facts} f @param {number} n */
function grams(f, n) {
  const ids = fresh(f).map((s) => s.id);
  const all = ids.slice(n - 1).map((_, i) => ids.slice(i, i + n).join());
  return { all: all.length, different: new Set(all).size };
}

/** @type {Record<string, (f: Facts, v: Variable) => Value>} */
const TEXT = {
  text: (f) =>
    f.toy
      ? fresh(f).map(plain).join(" ")
      : fresh(f)
          .map((s) => s.text)
          .join(""),
  new_tokens: (f) => fresh(f).length,
  finished: (f) => f.status.stop !== "",
  stop_reason: stopReason,
  sum_logprob: sumLogProb,
  mean_logprob: meanLogProb,
  perplexity: (f) => Math.exp(-meanLogProb(f)),
  mean_surprise_bits: (f) => -meanLogProb(f) / LN2,
  max_surprise_bits: (f) => Math.max(0, ...fresh(f).map((s) => s.surprise)),
  distinct: (f, { n = 1 }) => {
    const { all, different } = grams(f, n);
    return all ? different / all : 0;
  },
  repeated_share: (f, { n = 1 }) => {
    const { all, different } = grams(f, n);
    return all ? (all - different) / all : 0;
  },
  loop_period: (f) => loopPeriod(fresh(f).map((s) => s.id)),
  user_taken: (f) => byHand(f).length,
  user_taken_min_prob: (f) => Math.min(1, ...byHand(f).map((s) => s.modelProb)),
  user_taken_max_surprise_bits: (f) => Math.max(0, ...byHand(f).map((s) => s.surprise)),
};

/** The ends of the tree. @param {Tree} tree @param {string} state */
function leaves({ nodes }, state) {
  const parents = new Set(nodes.map((n) => n.parent));
  return nodes.filter((n, i) => i > 0 && n.state === state && !parents.has(i)).length;
}

/** @type {Record<string, (tree: Tree, f: Facts) => Value>} */
const BEAMS = {
  best_score: ({ nodes, best }, f) => {
    const n = nodes[best];
    if (n.state === "done") return n.final;
    // A search of one beam is greedy and keeps no sum.
    const sum = f.values.num_beams === 1 ? sumLogProb(f) : n.score;
    return n.step ? sum / n.step ** f.values.length_penalty : 0;
  },
  best_length: (_, f) => fresh(f).length,
  live_count: (tree) => leaves(tree, "live"),
  finished_count: (tree) => leaves(tree, "done"),
  pruned_count: ({ nodes }) => nodes.filter((n) => n.state === "pruned").length,
};

/** @type {Record<string, (f: Facts, token: string) => Value>} */
const DRAWS = {
  draws: (f) => f.draws?.count ?? 0,
  draw_count: (f, token) => hits(f, token),
  draw_share: (f, token) => (f.draws?.count ? hits(f, token) / f.draws.count : 0),
};

/** @param {Facts} f @param {string} token */
function hits({ draws }, token) {
  const i = draws ? draws.tokens.findIndex((t) => plain(t) === token) : -1;
  return i < 0 ? 0 : /** @type {Draws} */ (draws).hits[i];
}

/** Where the new tokens of two panes first differ; -1: nowhere so far.
 * @param {Facts} a @param {Facts} b */
function firstDifference(a, b) {
  const [x, y] = [fresh(a), fresh(b)];
  return x.findIndex((s, i) => i < y.length && s.id !== y[i].id);
}

/**
 * The value of a variable; undefined where there is none now.
 *
 * @param {(Facts | null)[]} panes null: not open
 * @param {Variable} variable
 * @returns {Value}
 */
export function readVariable(panes, variable) {
  const { var: name, token = "", pane = 0, stage = "" } = variable;
  if (name === "pane_count") return panes.length;
  const f = panes[pane];
  if (!f) return undefined;
  if (name === "first_difference") return panes[0] ? firstDifference(f, panes[0]) : undefined;
  if (name === "stage_position") return f.view ? position(f.view, stage) : undefined;
  if (Object.hasOwn(TEXT, name)) return TEXT[name](f, variable);
  if (Object.hasOwn(DRAWS, name)) return DRAWS[name](f, token);
  if (Object.hasOwn(BEAMS, name)) return f.tree ? BEAMS[name](f.tree, f) : undefined;
  if (Object.hasOwn(STEP, name)) return f.view ? STEP[name](f.view, f) : undefined;
  if (Object.hasOwn(TOKEN, name)) {
    const i = f.view ? find(f.view, token) : -1;
    return f.view && i >= 0 ? TOKEN[name](f.view, i) : undefined;
  }
  return Object.hasOwn(f.values, name) ? f.values[name] : undefined;
}

/** A stage's place among those that act, from 0. @param {View} view @param {string} stage */
function position({ stages }, stage) {
  const acting = stages.filter((s) => s.index >= 0);
  return acting.findIndex((s) => s.kind === stage);
}

/** Every name that readVariable knows besides settings. */
export const NAMES = [TEXT, DRAWS, BEAMS, STEP, TOKEN].flatMap((group) => Object.keys(group));

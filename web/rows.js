/**
 * A view of the engine as the page draws it: rows, one a strip, and pieces, the
 * tokens and groups that a strip is divided into.
 */

import { value } from "./format.js";
import { processor, stageKey, strategy } from "./settings.js";
import { language, t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./settings.js").Settings} Settings
 *
 * @typedef {object} Row
 * @property {string} key stays the same while a stage moves or its values change
 * @property {string} kind
 * @property {string} label
 * @property {string} role the CSS class that gives its colour
 * @property {string} value what it is set to
 * @property {number} amount the same as a number
 * @property {boolean} on
 * @property {boolean} ignored on, but the strategy does not use it
 * @property {number} stage index in View.stages whose numbers it shows
 * @property {number} index in Settings.stages; -1 for the model and for what the strategy adds
 * @property {number} count tokens it leaves
 * @property {number} cut
 * @property {number} cutMass
 *
 * @typedef {object} Piece
 * @property {string} key
 * @property {number} token index in View.tokens, -1 for a group
 * @property {number} many tokens in it; 0: not known
 * @property {number} removed the stage that removes it, -1 = kept
 * @property {(stage: number) => number} share
 */

const ROLES = /** @type {Record<string, string>} */ ({
  model: "model",
  temperature: "temp",
  top_k: "topk",
  top_p: "topp",
  min_p: "minp",
});

/** @param {string} kind */
export const role = (kind) => `role-${ROLES[kind] ?? "repeat"}`;

/** Stages that keep their row when they are off: the strip runs straight through. */
const PINNED = new Set(["temperature", "top_k", "top_p"]);

/**
 * @param {View} view
 * @param {Settings} settings
 * @param {Described} described
 * @returns {Row[]}
 */
export function rowsOf(view, settings, described) {
  const first = view.stages[0];
  /** @type {Row[]} */
  const rows = [
    {
      key: "model",
      kind: "model",
      label: t("stage.model"),
      role: role("model"),
      value: "",
      amount: 0,
      on: true,
      ignored: false,
      stage: 0,
      index: -1,
      count: first.count,
      cut: first.cut,
      cutMass: first.cutMass,
    },
  ];
  settings.stages.forEach((s, index) => {
    const stage = view.stages.findIndex((x) => x.index === index && x.kind === s.kind);
    if (stage < 0 && !(PINNED.has(s.kind) || s.on)) return;
    const kind = processor(described, s.kind);
    if (!kind) return;
    const [main] = kind.params;
    const before = rows[rows.length - 1];
    const seen = view.stages[stage];
    const amount = main && main.type !== "sequences" ? (s.args[main.name] ?? main.default) : null;
    rows.push({
      key: stageKey(settings.stages, index),
      kind: s.kind,
      label: kind.label,
      role: role(s.kind),
      value: amount === null ? "" : value(main, amount),
      amount: amount ?? 0,
      on: s.on,
      ignored: s.on && stage < 0,
      stage: seen ? stage : before.stage,
      index,
      count: seen ? seen.count : before.count,
      cut: seen ? seen.cut : 0,
      cutMass: seen ? seen.cutMass : 0,
    });
  });
  return withOwn(rows, view, settings, described);
}

/** Puts in what the strategy itself does to the strip.
 * @param {Row[]} rows @param {View} view @param {Settings} settings @param {Described} described */
function withOwn(rows, view, settings, described) {
  const kind = strategy(described, settings.strategy);
  return view.stages.reduce((all, seen, stage) => {
    if (stage === 0 || seen.index >= 0) return all;
    const after = all.findIndex((r) => r.stage > stage);
    return all.toSpliced(after < 0 ? all.length : after, 0, {
      key: `own:${seen.kind}`,
      kind: seen.kind,
      label: kind?.label ?? seen.kind,
      role: role(seen.kind),
      value: "",
      amount: 0,
      on: true,
      ignored: false,
      stage,
      index: -1,
      count: seen.count,
      cut: seen.cut,
      cutMass: seen.cutMass,
    });
  }, rows);
}

/** A stage's name inside a sentence: "top-p", but "XTC", and German nouns as they are.
 * @param {string} label */
export const inSentence = (label) =>
  language !== "de" && /^\p{Lu}[\p{Ll}-]/u.test(label)
    ? label[0].toLowerCase() + label.slice(1)
    : label;

/** A mass below it has no digit of its own to be shown with. */
const LITTLE = 0.0005;

/** Whether a top-k leaves more than k: tokens that tie with the last one stay. 0 is all.
 * @param {Row} row */
export const ties = ({ kind, on, count, amount }) =>
  kind === "top_k" && on && amount > 0 && count > amount;

/** What can be said about a row in a few words.
 * @param {Row} row */
export function rowNote(row) {
  if (row.ignored) return t("stage.ignored");
  if (!row.on) return t("stage.off");
  if (row.kind === "model") return t("tokens", { n: row.count });
  const { count: n, cutMass: mass } = row;
  if (ties(row)) return t("stage.ties", { n });
  if (row.cut > 0)
    return mass < LITTLE ? t("stage.leftLittle", { n, mass }) : t("stage.left", { n, loss: mass });
  if (row.kind === "temperature") {
    if (row.amount < 1) return t("stage.sharpened");
    if (row.amount > 1) return t("stage.flattened");
  }
  return t("stage.all", { n: row.count });
}

/**
 * The pieces of all strips, in the order of the draw: what is kept from the
 * likeliest down, then what fell, the last stage's first. In each run the
 * single tokens come first, then the group of the others.
 *
 * @param {View} view
 * @returns {Piece[]}
 */
export function piecesOf(view) {
  const { strip, removed, groups } = view;
  const runs = [...new Set([...strip.map((i) => removed[i]), ...groups.map((g) => g.removed)])];
  const late = (/** @type {number} */ by) => (by < 0 ? Number.POSITIVE_INFINITY : by);
  runs.sort((a, b) => late(b) - late(a));
  return runs.flatMap((by) => [
    ...strip.filter((i) => removed[i] === by).map((i) => tokenPiece(view, i)),
    ...groups.flatMap((g, i) => (g.removed === by ? groupPieces(view, i) : [])),
  ]);
}

/** @param {View} view @param {number} i index in View.tokens @returns {Piece} */
const tokenPiece = ({ tokens, probs, removed }, i) => ({
  key: `t${tokens[i].id}`,
  token: i,
  many: 1,
  removed: removed[i],
  share: (stage) => probs[stage * tokens.length + i],
});

/**
 * A group is one piece; the token that the step takes is shown where it lies in
 * it. Its place among the others is that of the last strip, also above it.
 *
 * @param {View} view @param {number} i index in View.groups @returns {Piece[]}
 */
function groupPieces(view, i) {
  const { groups, groupProbs, strip, stages, draw, removed } = view;
  const { removed: by, count } = groups[i];
  const whole = {
    key: `g${stages[by]?.kind ?? "kept"}`,
    token: -1,
    many: count,
    removed: by,
    share: (/** @type {number} */ stage) => groupProbs[stage * groups.length + i],
  };
  const taken = draw.token;
  if (taken < 0 || strip.includes(taken) || removed[taken] !== by || by >= 0) return [whole];
  const own = tokenPiece(view, taken);
  const last = stages.length - 1;
  const start = strip.reduce((sum, t) => sum + (removed[t] < 0 ? shareAt(view, last, t) : 0), 0);
  const others = whole.share(last) - own.share(last);
  const ratio = others > 0 ? Math.min(1, Math.max(0, (draw.low - start) / others)) : 0;
  const part = (/** @type {string} */ key, /** @type {number} */ share) => ({
    ...whole,
    key: whole.key + key,
    many: 0,
    share: (/** @type {number} */ stage) =>
      Math.max(0, whole.share(stage) - own.share(stage)) * share,
  });
  return [part("<", ratio), own, part(">", 1 - ratio)];
}

/** The share of a token after the row's stage; 0 once it is removed.
 * @param {View} view @param {number} stage @param {number} i index in View.tokens */
export function shareAt(view, stage, i) {
  const removed = view.removed[i];
  return removed >= 0 && removed <= stage ? 0 : view.probs[stage * view.tokens.length + i];
}

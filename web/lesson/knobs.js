/** The settings that a part is about, at hand; all others one press away. */

import { createControls } from "../controls.js";
import { h } from "../dom.js";
import { t } from "../texts.js";
import { isTask, settingsOf } from "./scene.js";

/**
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").Param} Param
 * @typedef {import("../control.js").Input} Input
 * @typedef {import("../settings.js").Settings} Settings
 * @typedef {import("./catalog.js").Step} Step
 * @typedef {import("./catalog.js").Task} Task
 */

/** Parameters of strategies: where a part names one, the strategy is at hand. */
const OF_STRATEGIES = [
  "num_beams",
  "num_beam_groups",
  "diversity_penalty",
  "length_penalty",
  "early_stopping",
  "penalty_alpha",
];

/** What a lesson's sliders reach, where the page's are made for daily use.
 * @type {Record<string, Partial<Param>>} */
const REACH = {
  temperature: { high: 10 },
  repetition_penalty: { low: 1, high: 3 },
  eta_cutoff: { high: 0.5 },
  epsilon_cutoff: { high: 0.5 },
  length_penalty: { step: 0.05 },
};

/** Sliders for a vocabulary of a few words. @param {number} words @returns {Record<string, Partial<Param>>} */
const forToys = (words) => ({
  top_k: { low: 1, high: words, step: 1, scale: "linear" },
  min_new_tokens: { low: 0, high: 10 },
});

/** The letters that lessons call parameters of strategies by.
 * @type {Record<string, string>} */
const LETTERS = { penalty_alpha: "α", top_k: "k" };

/** Parameters that no lesson speaks of. */
const ASIDE = ["num_return_sequences", "rules"];

/** What the engine describes, with other ends for some sliders.
 * @param {Described} described @param {number} words of a toy, 0 for the page's model @returns {Described} */
function reaching(described, words) {
  const reach = { ...REACH, ...(words ? forToys(words) : {}) };
  const kinds = (/** @type {Described["processors"]} */ list) =>
    list.map((k) => ({
      ...k,
      params: k.params
        .filter((p) => !ASIDE.includes(p.name))
        .map((p) => ({ ...p, ...reach[p.name] })),
    }));
  return {
    ...described,
    processors: kinds(described.processors),
    strategies: kinds(described.strategies).map((k) => ({
      ...k,
      params: k.params.map((p) =>
        p.name in LETTERS ? { ...p, label: `${p.label}, ${LETTERS[p.name]}` } : p,
      ),
    })),
  };
}

/** Every setting that a part names. @param {Step | Task} part */
function namesOf(part) {
  const solution = isTask(part) ? (part.solution?.settings ?? {}) : {};
  const panes = (part.panes ?? []).flatMap((p) => Object.keys(p.settings));
  return {
    all: new Set([...Object.keys(settingsOf(part)), ...panes, ...Object.keys(solution)]),
    strategy: "strategy" in solution,
  };
}

/**
 * @param {object} deps
 * @param {string} deps.id
 * @param {Described} deps.described
 * @param {Step | Task} deps.part
 * @param {number} deps.words of a toy, 0 for the page's model
 * @param {(settings: Settings, how: Input) => void} deps.onChange
 */
export function createKnobs({ id, described, part, words, onChange }) {
  const box = h("div", {});
  const controls = createControls(box, { id, described: reaching(described, words), onChange });
  const [stages, order, strategies, end, ...others] = [...box.children];
  const names = namesOf(part);
  const named = (/** @type {string[]} */ ...list) => list.some((n) => names.all.has(n));
  const first = [
    stages,
    ...(named(...OF_STRATEGIES) || names.strategy ? [strategies] : []),
    ...(named("order") ? [order] : []),
    ...(named("stop_strings") ? [end] : []),
  ];
  const rest = [order, strategies, end, ...others].filter((x) => !first.includes(x));
  if (named("order")) order.querySelector("details")?.setAttribute("open", "");
  const more = h(
    "details",
    { class: "moreknobs" },
    h("summary", {}, t("lesson.allSettings")),
    h("div", { class: "knobgrid" }, rest),
  );
  const el = h("div", { class: "knobs" }, h("div", { class: "knobgrid" }, first), more);
  return { el, update: controls.update };
}

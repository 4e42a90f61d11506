/** The decoders that a comparison starts with or offers, as far as the engine has them. */

import { value } from "./format.js";
import { fullArgs, presetSettings, processor, strategy } from "./settings.js";
import { has, isolated, t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./state.js").Pane} Pane
 *
 * @typedef {object} Preset
 * @property {string} name its label is the text "preset." and name
 * @property {string} strategy
 * @property {Record<string, number>} [args] of the strategy
 * @property {Record<string, Record<string, number>>} [on] stages that act
 */

/** @type {Preset[]} */
const PRESETS = [
  { name: "greedy", strategy: "greedy" },
  { name: "beam", strategy: "beam", args: { num_beams: 4 } },
  { name: "pure", strategy: "sampling", on: { temperature: { temperature: 1 } } },
  { name: "topk", strategy: "sampling", on: { top_k: { top_k: 50 } } },
  { name: "topp", strategy: "sampling", on: { top_p: { top_p: 0.9 } } },
  { name: "contrastive", strategy: "contrastive", args: { penalty_alpha: 0.6, top_k: 6 } },
];

/** The preset of a pane whose settings are no preset's. */
export const OWN = "own";

/** What a comparison opens with. */
const FIRST = ["greedy", "beam", "pure", "topp"];

export const MIN_PANES = 2;
export const MAX_PANES = 6;

/** Presets that the engine can do.
 * @param {Described} described */
export const presets = (described) =>
  PRESETS.filter(
    (p) =>
      strategy(described, p.strategy) &&
      Object.keys(p.on ?? {}).every((k) => processor(described, k)),
  );

/** @param {Described} described @param {Preset} preset @returns {Pane} */
export const paneOf = (described, preset) => ({
  preset: preset.name,
  settings: presetSettings(
    described,
    {
      strategy: preset.strategy,
      strategyArgs: preset.args ? { [preset.strategy]: preset.args } : {},
    },
    preset.on,
  ),
});

/** @param {Described} described @returns {Pane[]} */
export const firstPanes = (described) =>
  presets(described)
    .filter((p) => FIRST.includes(p.name))
    .map((p) => paneOf(described, p));

/** The preset of a pane that has just the settings of one; of another, "own".
 * @param {Described} described @param {Settings} settings */
export function presetOf(described, settings) {
  const acts = decoderOf(described, settings);
  const same = presets(described).find(
    (p) => decoderOf(described, paneOf(described, p).settings) === acts,
  );
  return same?.name ?? OWN;
}

/** What of settings makes the text, as text. @param {Described} described @param {Settings} settings */
function decoderOf(described, { strategy: name, strategyArgs, strategyLists, stages }) {
  const kind = strategy(described, name);
  const full = kind ? fullArgs(kind, strategyArgs[name]) : {};
  const acting = stages.filter((s) => s.on).map((s) => [s.kind, sorted(s.args), sorted(s.lists)]);
  return JSON.stringify([name, sorted(full), sorted(strategyLists[name] ?? {}), acting]);
}

/** @param {object} o */
const sorted = (o) => Object.entries(o).sort(([a], [b]) => (a < b ? -1 : 1));

/** A pane is called as its preset, or as its strategy; its tags say the rest.
 * @param {Described} described @param {Pane} pane */
export function paneName(described, { preset, settings }) {
  return preset !== OWN && has(`preset.${preset}`)
    ? t(`preset.${preset}`)
    : (strategy(described, settings.strategy)?.label ?? settings.strategy);
}

/** The settings of a pane in a few words: what acts, with its value, the first
 * and whatever is not as it is by itself.
 * @param {Described} described @param {Settings} settings @returns {string[]} */
export function paneTags(described, settings) {
  const kind = strategy(described, settings.strategy);
  const args = kind ? fullArgs(kind, settings.strategyArgs[kind.name]) : {};
  const own = (kind?.params ?? [])
    .filter((p, i) => p.type !== "sequences" && (i === 0 || args[p.name] !== p.default))
    .map((p) => isolated(`${p.label || p.name} ${value(p, args[p.name])}`));
  const stages = settings.stages
    .filter((s) => s.on)
    .map((s) => {
      const stage = processor(described, s.kind);
      if (!stage || (stage.warper && !kind?.samples)) return "";
      const values = stage.params
        .filter(
          (p, i) =>
            p.type !== "sequences" && (i === 0 || (s.args[p.name] ?? p.default) !== p.default),
        )
        .map((p) => value(p, s.args[p.name] ?? p.default));
      return isolated(`${stage.letter || stage.label} ${values.join(" ")}`);
    });
  return [...own, ...stages].filter(Boolean);
}

/**
 * A step that was taken stands with the settings that it was taken with,
 * whatever was set since.
 */

import { paneTags } from "./panes.js";

/**
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./settings.js").Settings} Settings
 */

/**
 * The settings of a past step, as far as its picture needs them, and its view
 * with each stage at its place in them; null where the present ones say the same.
 *
 * @param {View} view @param {Settings} now @param {Described} described
 * @returns {{view: View, settings: Settings, tags: string[]} | null}
 */
export function asTaken(view, now, described) {
  /** @type {Settings["stages"]} */
  const stages = [];
  const placed = view.stages.map((s) => {
    if (s.index < 0) return s;
    const index = stages.push({ kind: s.kind, on: true, args: s.args, lists: {} }) - 1;
    return { ...s, index };
  });
  const settings = { ...now, strategy: view.strategy, stages };
  if (view.strategy !== now.strategy) settings.strategyArgs = {};
  const tags = paneTags(described, settings);
  const same =
    settings.strategy === now.strategy &&
    JSON.stringify(tags) === JSON.stringify(paneTags(described, now));
  return same ? null : { view: { ...view, stages: placed }, settings, tags };
}

/** A view of a step that is not taken: no die falls. @param {View} view @returns {View} */
export const unthrown = (view) => ({ ...view, draw: { ...view.draw, thrown: false, token: -1 } });

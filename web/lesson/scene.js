/** What a step or a task sets up: its panes, the view that fits it, the settings at hand. */

import { variablesOf } from "./check.js";
import { STAGES } from "./flat.js";

/**
 * @typedef {import("./catalog.js").Step} Step
 * @typedef {import("./catalog.js").Task} Task
 * @typedef {import("./catalog.js").ViewName} ViewName
 * @typedef {import("./bench.js").Setup} Setup
 */

/** @param {Step | Task} part @returns {part is Task} */
export const isTask = (part) => "check" in part;

/** The settings that a part starts with. @param {Step | Task} part */
export const settingsOf = (part) => (isTask(part) ? part.start : part.settings);

/** The seed of a part that names none. */
const SEED = 1;

/**
 * One setup a pane. A pane's own settings lie over the part's.
 *
 * @param {Step | Task} part
 * @returns {(Setup & {label: string})[]}
 */
export function setupsOf(part) {
  const shared = settingsOf(part);
  const solution = isTask(part) ? (part.solution?.settings ?? {}) : {};
  const shown = STAGES.filter((s) => s in solution);
  const panes = part.panes ?? [{ label: "", settings: {} }];
  return panes.map((pane) => {
    const seed = pane.seed ?? part.seed ?? SEED;
    const model = pane.model ?? part.model;
    // A pane on another model does not take over what was meant for the part's.
    const own = pane.model === undefined || pane.model === part.model;
    return {
      label: pane.label,
      model,
      prompt: pane.prompt ?? part.prompt,
      taken: pane.taken ?? (own ? part.taken : undefined),
      settings: { seed, ...shared, ...pane.settings },
      shown,
    };
  });
}

/** The view of a part; a task that names none gets the one that shows what it asks for.
 * @param {Step | Task} part @returns {ViewName} */
export function viewOf(part) {
  if (part.view) return part.view;
  if (part.panes) return "compare";
  if (!isTask(part)) return "distribution";
  const asked = variablesOf(part.check).map((v) => v.var);
  const about = (/** @type {string[]} */ ...names) => asked.some((v) => names.includes(v));
  const { strategy = "greedy", order } = part.start;
  if (part.display?.edit_logits) return "distribution";
  if (about("draws", "draw_share", "draw_count")) return "draws";
  if (about("drawn_token", "drawn_rank", "die", "nucleus_size")) return "cumulative";
  if (order) return "stages";
  if (strategy.includes("beam")) return "beams";
  if (about("new_tokens", "stop_reason", "loop_period", "text", "finished")) return "text";
  return "distribution";
}

/** Overlays that a view of a task gets without being asked. @type {Partial<Record<ViewName, string[]>>} */
const USUAL = { draws: ["expected_counts"], text: ["loop_mark"] };

/** @param {Step | Task} part @returns {Set<string>} */
export function overlaysOf(part) {
  const named = part.overlay ?? [];
  if (!isTask(part)) return new Set(named);
  const asked = variablesOf(part.check).map((v) => v.var);
  const die = asked.some((v) => v.startsWith("drawn")) ? ["die"] : [];
  const line = asked.includes("nucleus_size") ? ["p_line"] : [];
  return new Set([...named, ...(USUAL[viewOf(part)] ?? []), ...die, ...line]);
}

/** Whether a part is about a text that grows, not about one step. @param {Step | Task} part */
export function growsText(part) {
  const view = viewOf(part);
  if (["text", "beams"].includes(view)) return true;
  if (view === "compare" || view === "draws") return false;
  return part.model === "page" && (isTask(part) || part.kind === "try");
}

/**
 * Whether the text of a step is there when it opens: where it is shown, not
 * made; and of a search, where it is the settings that are tried.
 *
 * @param {Step | Task} part
 */
export function runsAtOnce(part) {
  if (isTask(part)) return false;
  const view = viewOf(part);
  if (view === "beams") return true;
  if (part.kind !== "show" && part.kind !== "explain") return false;
  const long = "max_new_tokens" in part.settings;
  return view === "text" || (long && (view === "compare" || view === "surprise"));
}

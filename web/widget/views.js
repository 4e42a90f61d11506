/** The widget's parts that are views of the page, in a small frame. */

import { createBeams } from "../beams.js";
import { createCompare } from "../compare.js";
import { createDraws } from "../draws.js";
import { firstPanes } from "../panes.js";
import { factsOf } from "./facts.js";
import { patchBeams } from "./patch.js";

/**
 * @typedef {import("./widget.js").PartDeps} PartDeps
 * @typedef {import("./widget.js").Part} Part
 * @typedef {import("../settings.js").Settings} Settings
 */

/** What Compare shows in a small frame where nothing else is said. */
const SHOWN = ["greedy", "topp"];

/** @param {HTMLElement} root @param {PartDeps} deps @returns {Promise<Part>} */
export async function createComparePart(root, deps) {
  const { engine, store, described, model } = deps;
  if (!store.get().panes.length)
    store.set({ panes: firstPanes(described).filter((p) => SHOWN.includes(p.preset)) });
  const view = createCompare(root, {
    ...deps,
    onPrompt: (prompt) => store.set({ prompt, branches: [], branch: 0 }),
  });
  view.start(model);
  view.refresh();
  return {
    facts: () =>
      Promise.all(
        view
          .panes()
          .map(({ status, settings }) =>
            status ? factsOf(engine, described, model, { status, settings }) : null,
          ),
      ),
    settable: ["prompt", "seed"],
    async changed() {
      view.refresh();
    },
    async run() {
      throw new Error("run: a comparison runs by itself");
    },
  };
}

/** @param {HTMLElement} root @param {PartDeps} deps @returns {Promise<Part>} */
export async function createBeamsPart(root, deps) {
  const { engine, store, described, model, tell } = deps;
  const view = createBeams(root, deps);
  view.start(model);
  await view.refresh();
  return {
    async facts() {
      const at = view.at();
      if (!at) return [null];
      const status = await engine.call("status", { session: at.session });
      return [await factsOf(engine, described, model, { status, settings: at.settings })];
    },
    patch: patchBeams,
    async changed() {
      await view.refresh();
    },
    async run(steps) {
      const { beams } = store.get();
      const all = beams.steps + steps;
      if (all < 1 || all > 12) throw new Error(`run: ${steps} makes ${all} steps, want 1 to 12`);
      store.set({ beams: { ...beams, steps: all } });
      await view.refresh();
      tell("step");
    },
  };
}

/** @param {HTMLElement} root @param {PartDeps} deps @returns {Promise<Part>} */
export async function createDrawsPart(root, deps) {
  const { engine, store, described, model, tell } = deps;
  const view = createDraws(root, deps);
  view.start(model);
  await view.refresh();
  return {
    async facts() {
      const at = view.at();
      if (!at) return [null];
      return [await factsOf(engine, described, model, at)];
    },
    async changed() {
      await view.refresh();
    },
    /** Throws so many times. */
    async run(steps) {
      if (steps < 1 || steps > 1000) throw new Error(`run: ${steps} throws, want 1 to 1000`);
      store.set({ draws: { ...store.get().draws, count: steps } });
      await view.refresh();
      tell("step");
    },
  };
}

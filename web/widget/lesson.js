/** The widget's lesson, or one step of it. */

import { $ } from "../dom.js";
import { createLessons } from "../lesson/lessons.js";

/**
 * @typedef {import("./widget.js").PartDeps} PartDeps
 * @typedef {import("./widget.js").Part} Part
 */

/** @param {HTMLElement} root @param {Omit<PartDeps, "model">} deps @returns {Promise<Part & {model: (info: import("../api.d.ts").ModelInfo) => void}>} */
export async function createLessonPart(root, { engine, store, described }) {
  const view = createLessons(root, $(".statehost", root), { engine, store, described });
  await view.refresh();
  const none = async () => {
    throw new Error("a lesson is not steered from outside");
  };
  return {
    facts: async () => [],
    changed: none,
    run: none,
    model: (info) => view.start(info),
  };
}

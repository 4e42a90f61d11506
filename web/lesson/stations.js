/** The way through a lesson: its steps, its tasks and its end, each a link. */

import { h, icon, setKids } from "../dom.js";
import { t } from "../texts.js";
import { link } from "./link.js";
import { isTask } from "./scene.js";

/**
 * @typedef {import("./catalog.js").Lesson} Lesson
 * @typedef {import("./catalog.js").Step} Step
 * @typedef {import("./catalog.js").Task} Task
 */

/** The last station, after all steps and tasks. */
export const END = "end";

/** @param {Lesson} lesson @returns {(Step | Task)[]} */
export const partsOf = (lesson) => [...lesson.steps, ...lesson.tasks];

/** The place of a step or task; the first where there is none of that id.
 * @param {Lesson} lesson @param {string} id */
export function placeOf(lesson, id) {
  const parts = partsOf(lesson);
  return id === END
    ? parts.length
    : Math.max(
        0,
        parts.findIndex((p) => p.id === id),
      );
}

/** Whether a lesson has a place of that name; its start has none.
 * @param {Lesson} lesson @param {string} id */
export const hasPlace = (lesson, id) =>
  id === "" || id === END || partsOf(lesson).some((p) => p.id === id);

/** What a station is called. @param {Lesson} lesson @param {Step | Task} [part] none: the end */
export function nameOf(lesson, part) {
  if (!part) return t("lesson.end");
  if (!isTask(part)) return t(`lesson.kind.${part.kind}`);
  return t("lesson.taskNo", { n: lesson.tasks.indexOf(part) + 1 });
}

export function createStations() {
  const list = h("ol");
  const el = h("nav", { class: "stations", "aria-label": t("lesson.stations") }, list);

  /** @param {Lesson} lesson @param {number} i @param {boolean} here @param {boolean} ready */
  function station(lesson, i, here, ready) {
    const part = partsOf(lesson)[i];
    const sign = !part ? "…" : ready && isTask(part) ? icon("check") : String(i + 1);
    return h(
      "li",
      { class: [part && isTask(part) ? "oftask" : "", ready ? "done" : ""].join(" ").trim() },
      h(
        "a",
        { href: link(lesson.id, part?.id ?? END), "aria-current": here ? "step" : null },
        h("span", { class: "mark", "aria-hidden": "true" }, sign),
        h("span", { class: "what" }, nameOf(lesson, part)),
        ready ? h("span", { class: "sr" }, t("lesson.doneMark")) : null,
      ),
    );
  }

  return {
    el,
    /** @param {Lesson} lesson @param {number} at @param {(part: Step | Task) => boolean} done */
    draw(lesson, at, done) {
      const parts = partsOf(lesson);
      const all = [...parts.map(done), false];
      setKids(
        list,
        all.map((ready, i) => station(lesson, i, i === at, ready)),
      );
    },
  };
}

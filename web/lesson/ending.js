/** The end of a lesson: what is solved, the belief that it answers, and where to read on. */

import { h, icon } from "../dom.js";
import { t } from "../texts.js";
import { inLanguage, render } from "./text.js";

/**
 * @typedef {import("./catalog.js").Lesson} Lesson
 * @typedef {import("./progress.js").Progress} Progress
 */

/** What is said to a teacher. @param {Lesson} lesson @param {boolean} open */
export const teacherNote = (lesson, open) =>
  h(
    "details",
    { class: "panel teacher", open },
    h("summary", {}, t("lesson.teacher")),
    h("p", inLanguage(lesson.lang), ...render(lesson.teacher_note)),
  );

/** @param {Lesson} lesson */
const references = ({ references: list }) =>
  h(
    "section",
    { class: "refs" },
    h("h3", {}, t("lesson.references")),
    h(
      "ul",
      {},
      list.map(({ authors, year, title, venue, url }) => {
        const named = url
          ? h("a", { href: url, rel: "noopener noreferrer" }, title)
          : h("cite", {}, title);
        return h("li", {}, `${authors} (${year}). `, named, `. ${venue}.`);
      }),
    ),
  );

/** @param {Lesson} lesson @param {Progress} progress @param {() => void} onAnew @returns {HTMLElement[]} */
export function endingOf(lesson, progress, onAnew) {
  const { tasks, done } = progress.share(lesson);
  const count = lesson.tasks.length;
  const told = done
    ? t("lesson.allDone", { n: count })
    : t("lesson.someDone", { n: tasks, n_of: count });
  return [
    h("h2", { tabIndex: -1 }, t("lesson.end")),
    h(
      "p",
      { class: `check ${done ? "right" : "open"}` },
      icon(done ? "check" : "tune"),
      h("span", {}, told),
    ),
    h(
      "aside",
      { class: "panel slip", "aria-label": t("lesson.misconception") },
      h("h3", {}, t("lesson.misconception")),
      h("p", { class: "claim", ...inLanguage(lesson.lang) }, ...render(lesson.misconception.claim)),
      h("p", inLanguage(lesson.lang), ...render(lesson.misconception.answer)),
    ),
    teacherNote(lesson, false),
    references(lesson),
    h(
      "div",
      { class: "acts" },
      h(
        "button",
        { type: "button", class: "btn quiet", onclick: onAnew },
        icon("back"),
        t("lesson.anew"),
      ),
    ),
  ];
}

/** A teacher's own lesson file: dropped or picked, and what is wrong with it. */

import { h, icon, say } from "../dom.js";
import { t } from "../texts.js";
import { LARGEST, readOwn } from "./teacher.js";

/**
 * @typedef {import("./catalog.js").Lesson} Lesson
 *
 * @typedef {object} Deps
 * @property {ReturnType<typeof import("./catalog.js").createCatalog>} catalog
 * @property {() => Lesson[]} lessons
 * @property {(lesson: Lesson) => void} onLesson
 */

/** @param {Deps} deps */
export function createDrop({ catalog, lessons, onLesson }) {
  const told = h("div", { class: "filetold", role: "status" });
  const picker = h("input", {
    type: "file",
    id: "lesson-file",
    accept: ".json,application/json",
    class: "sr",
    onchange() {
      const [file] = picker.files ?? [];
      picker.value = "";
      if (file) take(file);
    },
  });
  const el = h(
    "section",
    { class: "panel dropzone", "aria-labelledby": "h-own" },
    h("h2", { id: "h-own" }, t("lesson.file.title")),
    h("p", { class: "hint" }, t("lesson.file.doc")),
    h(
      "div",
      { class: "acts" },
      picker,
      h("label", { class: "btn", htmlFor: "lesson-file" }, icon("plus"), t("lesson.file.pick")),
    ),
    told,
  );
  const over = (/** @type {boolean} */ on) => el.classList.toggle("over", on);
  el.addEventListener("dragover", (e) => {
    e.preventDefault();
    over(true);
  });
  el.addEventListener("dragleave", () => over(false));
  el.addEventListener("drop", (e) => {
    e.preventDefault();
    over(false);
    const [file] = e.dataTransfer?.files ?? [];
    if (file) take(file);
  });

  /** @param {File} file */
  async function take(file) {
    try {
      if (file.size > LARGEST) return tell(file.name, [t("lesson.file.large")]);
      const [text, schema, toys] = await Promise.all([
        file.text(),
        catalog.schema(),
        catalog.toys(),
      ]);
      const known = { schema, vocab: toys.vocab, lessons: lessons().map((l) => l.id) };
      const { lesson, told: wrong } = readOwn(text, known);
      if (!lesson) return tell(file.name, wrong);
      told.replaceChildren();
      say(t("lesson.file.ready", { title: lesson.title }));
      onLesson(lesson);
    } catch (error) {
      tell(file.name, [/** @type {Error} */ (error).message]);
    }
  }

  /** @param {string} name @param {string[]} problems */
  function tell(name, problems) {
    told.replaceChildren(
      ...refusal(t("lesson.file.refused", { name, n: problems.length }), problems),
    );
  }

  return { el };
}

/** That something was refused, and why. @param {string} what @param {string[]} problems */
export const refusal = (what, problems) => [
  h("p", { class: "notice refused" }, icon("warn"), what),
  h(
    "ul",
    {},
    problems.map((p) => h("li", { dir: "auto" }, p)),
  ),
];

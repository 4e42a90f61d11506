/** The head of a lesson: what it is called, what it wants, what it is for. */

import { h } from "../dom.js";
import { t } from "../texts.js";
import { link } from "./link.js";
import { inLanguage, languageNote, render } from "./text.js";

/** @typedef {import("./catalog.js").Lesson} Lesson */

/** @param {Lesson} lesson @param {Lesson[]} all @returns {(Node | null)[]} */
export function headOf(lesson, all) {
  const needs = lesson.needs
    .map((id) => all.find((l) => l.id === id))
    .filter((l) => l !== undefined)
    .flatMap((l, i) => [i ? ", " : "", h("a", { href: link(l.id) }, l.title)]);
  return [
    h(
      "p",
      { class: "kicker" },
      t("lesson.kicker", { n: lesson.number, n_minutes: lesson.minutes }),
      ...(needs.length ? [" · ", t("lesson.needs"), " ", ...needs] : []),
    ),
    h("h1", { dir: "auto" }, lesson.title),
    h("p", { class: "lead", ...inLanguage(lesson.lang) }, ...render(lesson.goal)),
    lesson.lang === "en" ? languageNote() : null,
  ];
}

/** A teacher's own lesson: from the text of a file to a lesson, or to what is wrong with it. */

import { t } from "../texts.js";
import { isToy } from "./bench.js";
import { variablesOf } from "./check.js";
import { check } from "./schema.js";
import { parse } from "./text.js";

/**
 * @typedef {import("./schema.js").Problem} Problem
 * @typedef {import("./schema.js").Schema} Schema
 * @typedef {import("./catalog.js").Lesson} Lesson
 */

/** A lesson is a few kilobytes; a file larger than this is none. */
export const LARGEST = 1_000_000;

/**
 * @param {string} text of the file
 * @param {{schema: Schema, vocab: string[], lessons: string[]}} known vocab: of the toys; lessons: ids that links may name
 * @returns {{lesson: Lesson | null, problems: Problem[]}}
 */
export function readLesson(text, known) {
  const refuse = (/** @type {string} */ wrong, /** @type {string} */ want) => ({
    lesson: null,
    problems: [{ path: "", wrong, want }],
  });
  if (text.length > LARGEST)
    return refuse(t("schema.characters", { n: text.length }), t("schema.atMost", { v: LARGEST }));
  /** @type {any} */
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    return refuse(t("schema.noJSON", { message }), t("schema.json"));
  }
  try {
    const problems = check(known.schema, value);
    if (!problems.length) problems.push(...sense(value, known));
    return problems.length ? { lesson: null, problems } : { lesson: value, problems };
  } catch (error) {
    if (error instanceof RangeError) return refuse(t("schema.deep"), t("schema.lesson"));
    throw error;
  }
}

/**
 * A lesson beside those that are here; what is wrong with it, in sentences.
 *
 * @param {string} text @param {Parameters<typeof readLesson>[1]} known
 * @returns {{lesson: Lesson | null, told: string[]}}
 */
export function readOwn(text, known) {
  const { lesson, problems } = readLesson(text, known);
  const whole = t("lesson.file.whole");
  if (!lesson)
    return {
      lesson,
      told: problems.map((p) => t("lesson.file.problem", { where: p.path || whole, ...p })),
    };
  if (known.lessons.includes(lesson.id))
    return { lesson: null, told: [t("lesson.file.taken", { id: lesson.id })] };
  return { lesson, told: [] };
}

/** What a schema cannot say.
 * @param {Lesson} lesson @param {{vocab: string[], lessons: string[]}} known @returns {Problem[]} */
function sense(lesson, { vocab, lessons }) {
  /** @type {Problem[]} */
  const problems = [];
  const add = (
    /** @type {string} */ path,
    /** @type {string} */ wrong,
    /** @type {string} */ want,
  ) => problems.push({ path, wrong, want });
  const ids = new Set();
  const parts = [
    ...lesson.steps.map((s, i) => ({ path: `steps[${i}]`, part: s })),
    ...lesson.tasks.map((task, i) => ({ path: `tasks[${i}]`, part: task })),
  ];
  for (const { path, part } of parts) {
    if (ids.has(part.id))
      add(`${path}.id`, t("schema.idTwice", { id: part.id }), t("schema.otherId"));
    ids.add(part.id);
    if (isToy(part))
      for (const [i, word] of (part.taken ?? []).entries())
        if (!vocab.includes(word))
          add(
            `${path}.taken[${i}]`,
            t("schema.noWord", { word }),
            t("schema.oneOf", { list: vocab.join(" ") }),
          );
    if (part.model === "page" && !part.prompt && !part.panes?.every((p) => p.model !== "page"))
      add(`${path}.prompt`, t("schema.missing"), t("schema.prompt"));
  }
  for (const [i, step] of lesson.steps.entries()) {
    const p = step.prediction;
    if (p?.type === "choice" && p.answer >= p.choices.length)
      add(
        `steps[${i}].prediction.answer`,
        t("schema.noChoice", { n: p.answer }),
        t("schema.choices", { n: p.choices.length - 1 }),
      );
  }
  for (const [i, task] of lesson.tasks.entries()) {
    const count = task.panes?.length ?? 1;
    for (const v of variablesOf(task.check)) {
      if ((v.pane ?? 0) >= count)
        add(
          `tasks[${i}].check`,
          t("schema.noPane", { name: v.var, n: Number(v.pane) }),
          t("schema.panes", { n: count - 1 }),
        );
      if (v.token && isToy(task) && !vocab.includes(v.token))
        add(
          `tasks[${i}].check`,
          `${v.var}: ${t("schema.noWord", { word: v.token })}`,
          t("schema.oneOf", { list: vocab.join(" ") }),
        );
    }
  }
  for (const [path, text] of texts(lesson))
    for (const piece of parse(text))
      if (piece.kind === "link" && piece.lesson !== lesson.id && !lessons.includes(piece.lesson))
        add(path, t("schema.link", { id: piece.lesson }), t("schema.lessonId"));
  return problems;
}

/** All texts that may hold links. @param {Lesson} lesson @returns {[string, string][]} */
function texts(lesson) {
  return [
    ...lesson.steps.map((s, i) => /** @type {[string, string]} */ ([`steps[${i}].text`, s.text])),
    ...lesson.tasks.map((x, i) => /** @type {[string, string]} */ ([`tasks[${i}].text`, x.text])),
    ["teacher_note", lesson.teacher_note],
  ];
}

/** A teacher's own lessons, kept in the browser's storage and read again with the same care. */

import { readLesson } from "./teacher.js";

/**
 * @typedef {import("./catalog.js").Lesson} Lesson
 */

const KEY = "decoding-playground-own-lessons";

/** @param {ReturnType<typeof import("./catalog.js").createCatalog>} catalog */
export function createOwn(catalog) {
  /** @type {Lesson[]} */
  let list = [];

  function keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify(list));
    } catch {
      // Without storage, or without room, they last as long as the page.
    }
  }

  return {
    get list() {
      return list;
    },
    async load() {
      /** @type {unknown} */
      let kept = [];
      try {
        kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
      } catch {
        // Nothing that can be read is nothing that was kept.
      }
      if (!Array.isArray(kept) || !kept.length) return;
      const [schema, toys, lessons] = await Promise.all([
        catalog.schema(),
        catalog.toys(),
        catalog.lessons(),
      ]);
      const known = { schema, vocab: toys.vocab, lessons: lessons.map((l) => l.id) };
      list = kept
        .map((value) => readLesson(JSON.stringify(value), known).lesson)
        .filter((lesson) => lesson !== null);
    },
    /** One of the same id is replaced. @param {Lesson} lesson */
    add(lesson) {
      list = [...list.filter((l) => l.id !== lesson.id), lesson];
      keep();
    },
    /** @param {string} id */
    remove(id) {
      list = list.filter((l) => l.id !== id);
      keep();
    },
  };
}

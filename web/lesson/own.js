/**
 * A teacher's own lessons, kept in the browser's storage and read again with the
 * same care. One that this version of the page does not take stays kept.
 */

import { readOwn } from "./teacher.js";

/**
 * @typedef {import("./catalog.js").Lesson} Lesson
 *
 * @typedef {object} Unread
 * @property {any} value as it is kept
 * @property {string[]} told what is wrong with it
 */

const KEY = "decoding-playground-own-lessons";

/** @param {ReturnType<typeof import("./catalog.js").createCatalog>} catalog */
export function createOwn(catalog) {
  /** @type {Lesson[]} */
  let list = [];
  /** @type {Unread[]} */
  let unread = [];

  function keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify([...list, ...unread.map((u) => u.value)]));
    } catch {
      // Without storage, or without room, they last as long as the page.
    }
  }

  return {
    get list() {
      return list;
    },
    get unread() {
      return unread;
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
      const read = kept.map((value) => ({ value, ...readOwn(JSON.stringify(value), known) }));
      list = read.map(({ lesson }) => lesson).filter((lesson) => lesson !== null);
      unread = read.filter(({ lesson }) => !lesson);
    },
    /** One of the same id is replaced. @param {Lesson} lesson */
    add(lesson) {
      list = [...list.filter((l) => l.id !== lesson.id), lesson];
      unread = unread.filter(({ value }) => value?.id !== lesson.id);
      keep();
    },
    /** @param {string} id */
    remove(id) {
      list = list.filter((l) => l.id !== id);
      keep();
    },
    /** @param {Unread} one */
    forget(one) {
      unread = unread.filter((u) => u !== one);
      keep();
    },
  };
}

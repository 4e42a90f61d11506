/** The Lessons view as the page sees it; its code is fetched when it is first opened. */

/**
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./lessons.js").Deps} Deps
 */

/**
 * @param {HTMLElement} root
 * @param {HTMLElement} waiting where the page says that its model is not there yet
 * @param {Deps & {onError: (error: unknown) => void}} deps
 */
export function createLessonsView(root, waiting, { onError, ...deps }) {
  /** @type {ReturnType<typeof import("./lessons.js").createLessons> | null} */
  let lessons = null;
  /** @type {ModelInfo | null} */
  let model = null;

  return {
    /** @param {ModelInfo} info */
    start(info) {
      model = info;
      lessons?.start(info);
    },
    async refresh() {
      try {
        const { createLessons } = await import("./lessons.js");
        if (!lessons) {
          lessons = createLessons(root, waiting, deps);
          if (model) lessons.start(model);
        }
        await lessons.refresh();
      } catch (error) {
        onError(error);
      }
    },
    pause: () => lessons?.pause(),
    drop() {
      model = null;
      lessons?.drop();
    },
  };
}

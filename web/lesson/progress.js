/** What a learner has done, in the browser's storage; nothing of it leaves the device. */

/**
 * @typedef {import("./catalog.js").Lesson} Lesson
 *
 * @typedef {object} Done
 * @property {string[]} seen steps
 * @property {string[]} solved tasks
 * @property {Record<string, number | null>} guesses by step: the choice or the number; null: skipped
 */

const KEY = "decoding-playground-lessons";

/** @returns {Done} */
const nothing = () => ({ seen: [], solved: [], guesses: {} });

/** What storage holds may be old, or by another hand. @param {any} kept @returns {Done} */
function clean(kept) {
  const strings = (/** @type {unknown} */ list) =>
    Array.isArray(list) ? list.filter((x) => typeof x === "string") : [];
  const guesses = Object.entries(kept?.guesses ?? {}).filter(
    ([, v]) => v === null || Number.isFinite(v),
  );
  return {
    seen: strings(kept?.seen),
    solved: strings(kept?.solved),
    guesses: /** @type {Done["guesses"]} */ (Object.fromEntries(guesses)),
  };
}

/** @param {Pick<Storage, "getItem" | "setItem">} [storage] */
export function createProgress(storage) {
  /** @type {Map<string, Done>} */
  let lessons = new Map();
  try {
    storage ??= localStorage;
    const kept = JSON.parse(storage.getItem(KEY) ?? "{}");
    lessons = new Map(Object.entries(kept).map(([id, done]) => [id, clean(done)]));
  } catch {
    // Without storage it lasts as long as the page.
  }

  function keep() {
    try {
      storage?.setItem(KEY, JSON.stringify(Object.fromEntries(lessons)));
    } catch {
      // A full or forbidden storage is no reason to stop a lesson.
    }
  }
  /** @param {string} id @param {(done: Done) => Done} edit */
  function change(id, edit) {
    lessons.set(id, edit(lessons.get(id) ?? nothing()));
    keep();
  }
  const add = (/** @type {string[]} */ list, /** @type {string} */ item) =>
    list.includes(item) ? list : [...list, item];

  return {
    /** @param {string} id @returns {Done} */
    of: (id) => lessons.get(id) ?? nothing(),
    /** @param {string} id @param {string} step */
    see: (id, step) => change(id, (d) => ({ ...d, seen: add(d.seen, step) })),
    /** @param {string} id @param {string} task */
    solve: (id, task) => change(id, (d) => ({ ...d, solved: add(d.solved, task) })),
    /** The first guess stands. @param {string} id @param {string} step @param {number | null} v */
    guess: (id, step, v) =>
      change(id, (d) =>
        Object.hasOwn(d.guesses, step) ? d : { ...d, guesses: { ...d.guesses, [step]: v } },
      ),
    /** Undefined where there is none: a step may have the name of what every object has.
     * @param {string} id @param {string} step @returns {number | null | undefined} */
    guessOf(id, step) {
      const { guesses } = this.of(id);
      return Object.hasOwn(guesses, step) ? guesses[step] : undefined;
    },
    /** Begins a lesson anew. @param {string} id */
    forget(id) {
      lessons.delete(id);
      keep();
    },
    /** How much of a lesson is done, in steps and tasks. @param {Lesson} lesson */
    share(lesson) {
      const { seen, solved } = this.of(lesson.id);
      const steps = lesson.steps.filter((s) => seen.includes(s.id)).length;
      const tasks = lesson.tasks.filter((t) => solved.includes(t.id)).length;
      return {
        steps,
        tasks,
        started: steps + tasks > 0,
        done: tasks === lesson.tasks.length,
        part: (steps + tasks) / (lesson.steps.length + lesson.tasks.length),
      };
    },
  };
}
/** @typedef {ReturnType<typeof createProgress>} Progress */

/** The Lessons view: the list, one lesson, and how they follow the address. */

import { h, setKids } from "../dom.js";
import { writeFragment } from "../state.js";
import { t } from "../texts.js";
import { linkInWords } from "../wording.js";
import { createCatalog } from "./catalog.js";
import { createContents } from "./contents.js";
import { createHome } from "./home.js";
import { link } from "./link.js";
import { createOwn } from "./own.js";
import { createPlayer } from "./player.js";
import { createProgress } from "./progress.js";
import { hasPlace } from "./stations.js";

/**
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./catalog.js").Lesson} Lesson
 *
 * @typedef {object} Deps
 * @property {import("../reader.js").Engine} engine
 * @property {ReturnType<typeof import("../state.js").createStore>} store
 * @property {Described} described
 * @property {() => void} [onWant] a step waits for the page's model
 * @property {(lesson: string, step: string) => void} [onGo] another step is on screen
 * @property {(solved: {lesson: string, task: string}) => void} [onTask] a task was solved
 */

/** @param {HTMLElement} root @param {HTMLElement} waiting @param {Deps} deps */
export function createLessons(root, waiting, deps) {
  const { engine, store, described } = deps;
  const catalog = createCatalog();
  const progress = createProgress();
  const own = createOwn(catalog);
  /** @type {ModelInfo | null} */
  let model = null;
  /** @type {Lesson[]} */
  let lessons = [];
  /** @type {ReturnType<typeof createPlayer> | null} */
  let player = null;
  let shown = "";
  /** The place on screen, which what is told is of. @type {string | null} */
  let at = null;
  let dropped = false; // what was open went with the engine

  const all = () => [...lessons, ...own.list];
  const contents = createContents({ progress });
  const home = createHome({
    catalog,
    described,
    progress,
    lessons: () => lessons,
    own: () => own.list,
    unread: () => own.unread,
    explore: (patch) =>
      writeFragment({ ...store.get(), ...patch, view: "explore", branches: [], branch: 0 }),
    onOwn(lesson) {
      own.add(lesson);
      location.hash = link(lesson.id);
    },
    onForget(lesson) {
      own.remove(lesson.id);
      home.draw();
    },
    onForgetUnread(one) {
      own.forget(one);
      home.draw();
    },
  });
  /** Where what waits is kept while nothing does. */
  const parking = /** @type {HTMLElement} */ (waiting.parentElement);
  const article = h("article", { class: "lesson" });
  const reading = h("div", { class: "lessonlayout", hidden: true }, contents.el, article);
  const trouble = h("p", { class: "notice", role: "alert", hidden: true });
  home.el.hidden = true; // until there is something in it
  root.append(trouble, home.el, reading);

  /** Fetches the lessons, once. */
  async function load() {
    if (player) return player;
    const [list, toys] = await Promise.all([catalog.lessons(), catalog.toys(), own.load()]);
    lessons = list;
    player ??= createPlayer(article, {
      engine,
      described,
      toys,
      storedStep: catalog.step,
      progress,
      page: () => model,
      lessons: all,
      waiting,
      park: () => parking.append(waiting),
      onWant: deps.onWant,
      onTask: deps.onTask,
      onGo(lesson, step) {
        at = `${lesson}/${step}`;
        store.set({ lesson: at });
        trouble.hidden = true;
        document.title = `${titleOf(lesson)} · ${t("page.title")}`;
        deps.onGo?.(lesson, step);
      },
      onProgress: () => contents.draw(all(), shown),
    });
    return player;
  }

  const titleOf = (/** @type {string} */ id) =>
    all().find((l) => l.id === id)?.title ?? t("nav.lessons");

  /** Shows what the state names. */
  async function show() {
    try {
      const ready = await load();
      const { view, lesson: place } = store.get();
      if (view !== "lessons") return;
      if (place !== at) trouble.hidden = true;
      const followed = at !== null && at !== place;
      at = place;
      const [id, step = ""] = place.split("/");
      const lesson = all().find((l) => l.id === id);
      home.el.hidden = Boolean(lesson);
      reading.hidden = !lesson;
      shown = lesson?.id ?? "";
      if (lesson) {
        contents.draw(all(), shown);
        ready.show(lesson, step, followed);
        if (!hasPlace(lesson, step)) say(linkInWords([`step ${step}`]));
        return;
      }
      ready.close();
      home.draw();
      if (followed) home.el.querySelector("h1")?.focus();
      if (id) say(t("lesson.unknown", { id }));
    } catch (error) {
      at = null;
      say(t("lesson.failed", { message: /** @type {Error} */ (error).message }));
    }
  }

  /** Tells it above what is on screen. @param {string} words */
  function say(words) {
    trouble.hidden = false;
    setKids(trouble, words);
  }

  return {
    /** @param {ModelInfo} info */
    start(info) {
      model = info;
      if (store.get().view === "lessons") dropped ? player?.again() : player?.model();
      dropped = false;
    },
    refresh: show,
    /** Another view is on screen. */
    pause() {
      trouble.hidden = true;
      player?.pause();
    },
    /** What is known of the figure on screen. */
    facts: () => player?.facts ?? [],
    drop() {
      model = null;
      dropped = true;
      player?.drop();
    },
  };
}

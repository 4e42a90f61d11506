/** One lesson: its steps and tasks one at a time, each with its figure. */

import { h, setKids } from "../dom.js";
import { t } from "../texts.js";
import { endingOf, teacherNote } from "./ending.js";
import { createFigure, needsPage } from "./figure.js";
import { headOf } from "./head.js";
import { link } from "./link.js";
import { createPrediction, curtain } from "./predict.js";
import { createPresenter } from "./presenter.js";
import { isTask } from "./scene.js";
import { createStations, END, nameOf, partsOf, placeOf } from "./stations.js";
import { createTask } from "./task.js";
import { inLanguage, render } from "./text.js";
import { readVariable } from "./vars.js";

/**
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./catalog.js").Lesson} Lesson
 * @typedef {import("./catalog.js").Step} Step
 * @typedef {import("./catalog.js").Task} Task
 * @typedef {import("./figure.js").Figure} Figure
 * @typedef {import("./progress.js").Progress} Progress
 * @typedef {import("./vars.js").Facts} Facts
 *
 * @typedef {object} Deps
 * @property {import("../reader.js").Engine} engine
 * @property {import("../api.d.ts").Described} described
 * @property {import("./toy.js").Toys} toys
 * @property {(name: string) => Promise<import("./catalog.js").StoredStep>} storedStep
 * @property {Progress} progress
 * @property {() => ModelInfo | null} page
 * @property {() => Lesson[]} lessons
 * @property {HTMLElement} waiting where the page says that its model is not there yet
 * @property {() => void} park puts it out of sight
 * @property {() => void} [onWant] a step waits for the page's model
 * @property {(lesson: string, step: string) => void} onGo another step was chosen
 * @property {() => void} onProgress
 * @property {(event: {lesson: string, task: string}) => void} [onTask] a task was solved
 */

/** @param {HTMLElement} root @param {Deps} deps */
export function createPlayer(root, deps) {
  const { engine, described, toys, storedStep, progress, page, lessons, waiting, park } = deps;
  let lesson = /** @type {Lesson} */ (/** @type {unknown} */ (null)); // there is one before anything is drawn
  let at = 0;
  let drawn = false; // whether the step on screen is this one
  /** @type {Figure | null} */
  let figure = null;
  /** @type {(Facts | null)[]} */
  let facts = [];

  const head = h("header", { class: "lessonhead" });
  const stations = createStations();
  const body = h("div", { class: "lessonbody" });
  const feet = h("div", { class: "lessonnav" });
  root.append(head, stations.el, body, feet);

  /** The step or task on screen; none at the end. @returns {Step | Task | undefined} */
  const part = () => partsOf(lesson)[at];
  /** @param {Step | Task} p */
  const done = (p) => {
    const { seen, solved } = progress.of(lesson.id);
    return (isTask(p) ? solved : seen).includes(p.id);
  };
  /** Whether what a step shows is still hidden behind its question. @param {Step} step */
  const gated = (step) =>
    step.prediction !== undefined &&
    (presenter.on || progress.guessOf(lesson.id, step.id) === undefined);

  const presenter = createPresenter({
    go: (by) => go(at + by),
    leave: () => present(false),
  });

  /** To a room, or to a reader again. @param {boolean} on */
  function present(on) {
    mark(on);
    go(at); // the focus leaves the button, which would take the keys
    if (!on) presentButton.focus();
  }
  /** @param {boolean} on */
  function mark(on) {
    presenter.set(on);
    root.classList.toggle("presenting", on);
  }

  function close() {
    park();
    presenter.shows(null);
    figure?.close();
    figure = null;
    facts = [];
  }

  /** @param {number} to @param {boolean} [focus] */
  function go(to, focus = true) {
    close();
    at = Math.min(partsOf(lesson).length, Math.max(0, to));
    deps.onGo(lesson.id, part()?.id ?? END);
    draw();
    drawn = true;
    if (!focus) return;
    body.querySelector("h2")?.focus();
    if (root.getBoundingClientRect().top < 0) root.scrollIntoView();
  }

  /** What was done has changed. */
  function moved() {
    deps.onProgress();
    stations.draw(lesson, at, done);
    drawFeet();
  }

  // Feet ------------------------------------------------------------------------------------------

  const back = button("", t("lesson.back"), () => go(at - 1));
  const next = button("", "", () => go(at + 1));
  const onward = h("a", { class: "btn primary" });
  const presentButton = button("quiet toggle", t("lesson.present"), () => present(!presenter.on));
  const keys = h("span", { class: "hint presentkeys" }, t("lesson.presentKeys"));
  feet.append(back, presentButton, keys, h("span", { class: "grow" }), next, onward);

  /** @param {string} cls @param {string} label @param {() => void} onclick */
  function button(cls, label, onclick) {
    return h("button", { type: "button", class: `btn ${cls}`, onclick }, label);
  }

  function drawFeet() {
    const p = part();
    const all = lessons();
    const after = all[all.findIndex((l) => l.id === lesson.id) + 1];
    const open = p && isTask(p) && !done(p);
    back.hidden = at === 0;
    next.hidden = !p;
    onward.hidden = Boolean(p);
    presentButton.setAttribute("aria-pressed", String(presenter.on));
    next.classList.toggle("primary", !open);
    next.disabled = p !== undefined && !isTask(p) && gated(p) && !presenter.on;
    next.textContent = t(
      open ? "lesson.later" : at === partsOf(lesson).length - 1 ? "lesson.finish" : "lesson.next",
    );
    onward.href = link(after?.id);
    onward.textContent = after ? t("lesson.nextLesson", { title: after.title }) : t("lesson.all");
  }

  // The body --------------------------------------------------------------------------------------

  function draw() {
    setKids(head, ...headOf(lesson, lessons()));
    const p = part();
    if (!p) body.replaceChildren(...endingOf(lesson, progress, anew));
    else {
      const host = h("section", { class: "panel figpanel", "aria-label": t("lesson.figure") });
      const title = h("h2", { class: "sr", tabIndex: -1 }, nameOf(lesson, p));
      body.replaceChildren(
        title,
        ...(isTask(p) ? drawTask(p, host) : drawStep(p, host)),
        host,
        ...(presenter.on ? [teacherNote(lesson, false)] : []),
      );
    }
    stations.draw(lesson, at, done);
    drawFeet();
  }

  function anew() {
    progress.forget(lesson.id);
    deps.onProgress();
    go(0);
  }

  /** @param {Step} step @param {HTMLElement} host */
  function drawStep(step, host) {
    const words = h("p", { class: "prose", ...inLanguage(lesson.lang) }, ...render(step.text));
    const { prediction } = step;
    if (!prediction) {
      see(step);
      open(step, host);
      return [words];
    }
    // Where the answer is read from the picture, it is there behind the curtain.
    const from = prediction.type === "number" ? prediction.answer_from : undefined;
    const card = createPrediction(prediction, {
      id: `p-${step.id}`,
      lang: lesson.lang,
      guess: progress.guessOf(lesson.id, step.id),
      presenting: presenter.on,
      answer() {
        const v = from && readVariable(facts, from);
        return typeof v === "number" ? v : undefined;
      },
      onGuess(guess) {
        if (!presenter.on) progress.guess(lesson.id, step.id, guess);
        see(step);
        host.classList.remove("gated");
        host.querySelector(".curtain")?.remove();
        if (!figure) open(step, host);
        moved();
      },
    });
    const closed = gated(step);
    if (!closed || from) open(step, host);
    presenter.shows(card);
    if (closed) {
      host.classList.add("gated");
      host.append(curtain());
    }
    return [words, card.el];
  }

  /** @param {Task} task @param {HTMLElement} host */
  function drawTask(task, host) {
    const card = createTask(task, {
      id: `t-${task.id}`,
      lang: lesson.lang,
      number: lesson.tasks.indexOf(task) + 1,
      count: lesson.tasks.length,
      solved: progress.of(lesson.id).solved.includes(task.id) && !presenter.on,
      onSolved() {
        if (presenter.on) return;
        progress.solve(lesson.id, task.id);
        deps.onTask?.({ lesson: lesson.id, task: task.id });
        moved();
      },
      onRestart: () => go(at),
      onSolution: presenter.on && task.solution ? () => figure?.solve(task) : undefined,
    });
    presenter.shows(card);
    open(task, host, card);
    return [card.el];
  }

  /** @param {Step} step */
  function see(step) {
    if (presenter.on) return;
    progress.see(lesson.id, step.id);
    deps.onProgress();
  }

  /** @param {Step | Task} p @param {HTMLElement} host @param {ReturnType<typeof createTask>} [card] */
  async function open(p, host, card) {
    const mine = createFigure(p, {
      engine,
      described,
      toys,
      storedStep,
      page,
      onAgain: () => go(at, false),
      onFacts(found) {
        if (figure !== mine) return;
        facts = found;
        card?.check(found);
      },
    });
    figure = mine;
    const ready = !needsPage(p) || page() !== null;
    host.replaceChildren(ready ? mine.el : waiting);
    if (ready) await mine.open();
    else deps.onWant?.();
  }

  return {
    get facts() {
      return facts;
    },
    /** Opens a lesson at a step. @param {Lesson} wanted @param {string} step
     * @param {boolean} [followed] a link of the page, which may be gone with what it stood in */
    show(wanted, step, followed = false) {
      const same = lesson?.id === wanted.id;
      const to = placeOf(wanted, step);
      if (same && to === at && drawn) return;
      lesson = wanted;
      go(to, same || followed);
    },
    /** The page's model is there, or another one: what stands on it begins anew. */
    model() {
      const p = lesson && part();
      if (p && figure && needsPage(p)) go(at, false);
    },
    /** The engine has ended. */
    drop() {
      figure = null;
      facts = [];
    },
    /** Begins the step on screen anew. */
    again() {
      if (lesson) go(at, false);
    },
    close() {
      if (presenter.on) mark(false);
      close();
      drawn = false;
    },
    /** Another view is on screen. */
    pause() {
      if (!presenter.on) return;
      mark(false);
      drawn = false;
    },
  };
}

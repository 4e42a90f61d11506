/** One lesson: its steps and tasks one at a time, each with its figure. */

import { h, icon, setKids } from "../dom.js";
import { t } from "../texts.js";
import { createFigure, needsPage } from "./figure.js";
import { link } from "./link.js";
import { createPrediction } from "./predict.js";
import { isTask } from "./scene.js";
import { createTask } from "./task.js";
import { render } from "./text.js";
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
 * @property {import("./bench.js").Toys} toys
 * @property {Progress} progress
 * @property {() => ModelInfo | null} page
 * @property {() => Lesson[]} lessons
 * @property {HTMLElement} waiting where the page says that its model is not there yet
 * @property {() => void} park puts it out of sight
 * @property {(lesson: string, step: string) => void} onGo another step was chosen
 * @property {() => void} onProgress
 * @property {(event: {lesson: string, task: string}) => void} [onTask] a task was solved
 */

/** The last station, after all steps and tasks. */
const END = "end";

/** @param {HTMLElement} root @param {Deps} deps */
export function createPlayer(root, deps) {
  const {
    engine,
    described,
    toys,
    progress,
    page,
    lessons,
    waiting,
    park,
    onGo,
    onProgress,
    onTask,
  } = deps;
  /** @type {Lesson | null} */
  let lesson = null;
  let at = 0;
  let presenting = false;
  /** @type {Figure | null} */
  let figure = null;
  /** @type {(Facts | null)[]} */
  let facts = [];

  const head = h("header", { class: "lessonhead" });
  const stations = h("nav", { class: "stations", "aria-label": t("lesson.stations") });
  const body = h("div", { class: "lessonbody" });
  const feet = h("div", { class: "lessonnav" });
  root.append(head, stations, body, feet);

  const parts = () => (lesson ? [...lesson.steps, ...lesson.tasks] : []);
  const isEnd = () => at >= parts().length;
  /** @param {Step | Task} part */
  const done = (part) => {
    const { seen, solved } = progress.of(/** @type {Lesson} */ (lesson).id);
    return (isTask(part) ? solved : seen).includes(part.id);
  };
  /** Whether what a step shows is still hidden behind its question. @param {Step} step */
  const gated = (step) =>
    step.prediction !== undefined &&
    (presenting || !(step.id in progress.of(/** @type {Lesson} */ (lesson).id).guesses));

  /** @param {string} step its id; empty: the first that is new */
  function indexOf(step) {
    if (step === END) return parts().length;
    const i = parts().findIndex((p) => p.id === step);
    return Math.max(0, i);
  }

  function close() {
    park();
    figure?.close();
    figure = null;
    facts = [];
  }

  /** @param {number} to @param {boolean} [focus] */
  function go(to, focus = true) {
    if (!lesson) return;
    close();
    at = Math.max(0, Math.min(parts().length, to));
    onGo(lesson.id, isEnd() ? END : parts()[at].id);
    draw();
    if (!focus) return;
    body.querySelector("h2")?.focus();
    const { top } = root.getBoundingClientRect();
    if (top < 0) root.scrollIntoView();
  }

  // The parts of the page -------------------------------------------------------------------------

  function drawHead() {
    const l = /** @type {Lesson} */ (lesson);
    const needs = l.needs
      .map((id) => lessons().find((x) => x.id === id))
      .filter((x) => x !== undefined)
      .flatMap((x, i) => [i ? ", " : "", h("a", { href: link(x.id) }, x.title)]);
    setKids(
      head,
      h(
        "p",
        { class: "kicker" },
        t("lesson.kicker", { n: l.number, n_minutes: l.minutes }),
        ...(needs.length ? [" · ", t("lesson.needs"), " ", ...needs] : []),
      ),
      h("h1", { dir: "auto" }, l.title),
      h("p", { class: "lead", dir: "auto" }, ...render(l.goal)),
    );
  }

  function drawStations() {
    const items = [...parts().map((p) => p.id), END];
    setKids(
      stations,
      h(
        "ol",
        {},
        items.map((id, i) => {
          const part = parts()[i];
          const label = part
            ? isTask(part)
              ? t("lesson.task")
              : t(`lesson.kind.${part.kind}`)
            : t("lesson.end");
          const ready = part ? done(part) : false;
          return h(
            "li",
            { class: `${part && isTask(part) ? "oftask" : ""}${ready ? " done" : ""}` },
            h(
              "a",
              {
                href: link(/** @type {Lesson} */ (lesson).id, id),
                "aria-current": i === at ? "step" : null,
                title: label,
              },
              h(
                "span",
                { class: "mark", "aria-hidden": "true" },
                ready && part && isTask(part) ? icon("check") : part ? String(i + 1) : "…",
              ),
              h("span", { class: "what" }, label),
              ready ? h("span", { class: "sr" }, t("lesson.doneMark")) : null,
            ),
          );
        }),
      ),
    );
  }

  function draw() {
    if (!lesson) return;
    drawHead();
    if (isEnd()) drawEnd();
    else {
      const part = parts()[at];
      if (isTask(part)) drawTask(part);
      else drawStep(part);
    }
    drawStations();
    drawFeet();
  }

  /** @param {string} text @param {string} cls */
  const heading = (text, cls = "sr") => h("h2", { class: cls, tabIndex: -1 }, text);

  /** @param {Step} step */
  function drawStep(step) {
    const l = /** @type {Lesson} */ (lesson);
    const host = h("section", { class: "panel figpanel", "aria-label": t("lesson.figure") });
    const closed = gated(step);
    const words = h("p", { class: "prose", dir: "auto" }, ...render(step.text));
    const prediction = step.prediction
      ? createPrediction(step.prediction, {
          id: `p-${step.id}`,
          guess: progress.of(l.id).guesses[step.id],
          presenting,
          answer() {
            const from =
              step.prediction?.type === "number" ? step.prediction.answer_from : undefined;
            const v = from && readVariable(facts, from);
            return typeof v === "number" ? v : undefined;
          },
          onGuess(guess) {
            if (!presenting) progress.guess(l.id, step.id, guess);
            seen(step);
            host.classList.remove("gated");
            host.querySelector(".curtain")?.remove();
            if (!figure) open(step, host);
            drawFeet(false);
          },
        })
      : null;
    setBody(
      heading(t(`lesson.kind.${step.kind}`)),
      words,
      ...(prediction ? [prediction.el] : []),
      host,
      note(),
    );
    if (closed) {
      // Where the answer is read from the picture, it is there behind the curtain.
      const reads = step.prediction?.type === "number" && step.prediction.answer_from;
      host.classList.add("gated");
      if (reads) open(step, host);
      host.append(curtain());
      return;
    }
    if (!prediction) seen(step);
    open(step, host);
  }

  /** What stands in the picture's place until there is a guess. */
  const curtain = () =>
    h(
      "div",
      { class: "curtain" },
      h("div", { class: "strip", "aria-hidden": "true" }, h("span", { class: "piece void" })),
      h("p", { class: "hint" }, t("lesson.gate")),
    );

  /** @param {Task} task */
  function drawTask(task) {
    const l = /** @type {Lesson} */ (lesson);
    const host = h("section", { class: "panel figpanel", "aria-label": t("lesson.figure") });
    const card = createTask(task, {
      id: `t-${task.id}`,
      number: l.tasks.indexOf(task) + 1,
      count: l.tasks.length,
      solved: progress.of(l.id).solved.includes(task.id) && !presenting,
      onSolved() {
        progress.solve(l.id, task.id);
        onTask?.({ lesson: l.id, task: task.id });
        onProgress();
        drawStations();
        drawFeet();
      },
      onRestart: () => go(at),
    });
    setBody(heading(t("lesson.task")), card.el, host, note());
    open(task, host, card);
  }

  function drawEnd() {
    const l = /** @type {Lesson} */ (lesson);
    const { tasks, done: all } = progress.share(l);
    setBody(
      heading(t("lesson.end"), ""),
      h(
        "p",
        { class: `check ${all ? "right" : "open"}` },
        icon(all ? "check" : "tune"),
        h(
          "span",
          {},
          all
            ? t("lesson.allDone", { n: l.tasks.length })
            : t("lesson.someDone", { n: tasks, n_of: l.tasks.length }),
        ),
      ),
      h(
        "aside",
        { class: "panel slip" },
        h("h3", {}, t("lesson.misconception")),
        h("p", { class: "claim", dir: "auto" }, ...render(l.misconception.claim)),
        h("p", { dir: "auto" }, ...render(l.misconception.answer)),
      ),
      note(true),
      h(
        "section",
        { class: "refs" },
        h("h3", {}, t("lesson.references")),
        h(
          "ul",
          {},
          l.references.map((r) =>
            h(
              "li",
              {},
              `${r.authors} (${r.year}). `,
              r.url
                ? h("a", { href: r.url, rel: "noopener noreferrer" }, r.title)
                : h("cite", {}, r.title),
              `. ${r.venue}.`,
            ),
          ),
        ),
      ),
      h(
        "div",
        { class: "acts" },
        h(
          "button",
          {
            type: "button",
            class: "btn quiet",
            onclick() {
              progress.forget(l.id);
              onProgress();
              go(0);
            },
          },
          icon("back"),
          t("lesson.anew"),
        ),
      ),
    );
  }

  /** What is said to a teacher. @param {boolean} [always] */
  function note(always = false) {
    const l = /** @type {Lesson} */ (lesson);
    if (!presenting && !always) return h("div", {});
    return h(
      "details",
      { class: "panel teacher", open: presenting },
      h("summary", {}, t("lesson.teacher")),
      h("p", { dir: "auto" }, ...render(l.teacher_note)),
    );
  }

  /** @param {...Node} kids */
  function setBody(...kids) {
    body.replaceChildren(...kids);
  }

  function drawFeet(rebuild = true) {
    const l = /** @type {Lesson} */ (lesson);
    const part = parts()[at];
    const all = lessons();
    const next = all[all.findIndex((x) => x.id === l.id) + 1];
    const blocked = part && !isTask(part) && gated(part) && !presenting;
    const open_ = part && isTask(part) && !done(part);
    const button = (
      /** @type {string} */ cls,
      /** @type {string} */ label,
      /** @type {() => void} */ onclick,
      off = false,
    ) => h("button", { type: "button", class: `btn ${cls}`, disabled: off, onclick }, label);
    const back = at > 0 ? button("", t("lesson.back"), () => go(at - 1)) : null;
    const show = button("quiet toggle", t("lesson.present"), () => {
      presenting = !presenting;
      root.classList.toggle("presenting", presenting);
      go(at);
    });
    show.setAttribute("aria-pressed", String(presenting));
    const on = isEnd()
      ? next
        ? h(
            "a",
            { class: "btn primary", href: link(next.id) },
            t("lesson.nextLesson", { title: next.title }),
          )
        : h("a", { class: "btn primary", href: link() }, t("lesson.all"))
      : button(
          open_ ? "" : "primary",
          open_
            ? t("lesson.later")
            : at === parts().length - 1
              ? t("lesson.finish")
              : t("lesson.next"),
          () => go(at + 1),
          blocked,
        );
    if (!rebuild) {
      const old = feet.lastElementChild;
      old?.replaceWith(on);
      drawStations();
      return;
    }
    feet.replaceChildren(
      ...[back, show, h("span", { class: "grow" }), on].filter((x) => x !== null),
    );
  }

  /** @param {Step} step */
  function seen(step) {
    if (presenting) return;
    progress.see(/** @type {Lesson} */ (lesson).id, step.id);
    onProgress();
  }

  // The figure ------------------------------------------------------------------------------------

  /** @param {Step | Task} part @param {HTMLElement} host @param {ReturnType<typeof createTask>} [card] */
  async function open(part, host, card) {
    const mine = createFigure(part, {
      engine,
      described,
      toys,
      page,
      onFacts(found) {
        facts = found;
        if (figure === mine) card?.check(found);
      },
    });
    figure?.close();
    figure = mine;
    const ready = !needsPage(part) || page() !== null;
    root.classList.toggle("waits", !ready);
    host.replaceChildren(...(ready ? [mine.el] : [waiting]));
    if (!ready) return;
    await mine.open();
    if (figure === mine) card?.check(facts);
  }

  return {
    /** Opens a lesson at a step. @param {Lesson} next @param {string} step @param {boolean} [focus] */
    show(next, step, focus = false) {
      const same = lesson?.id === next.id;
      lesson = next;
      const to = indexOf(step);
      if (same && to === at && figure) return;
      go(to, focus || same);
    },
    /** The page's model is there, or another one: what stands on it begins anew. */
    model() {
      if (!lesson || isEnd() || !figure) return;
      if (needsPage(parts()[at])) go(at, false);
    },
    /** The engine has ended. */
    drop() {
      figure = null;
      facts = [];
    },
    /** Begins the step on screen anew. */
    again: () => go(at, false),
    close,
  };
}

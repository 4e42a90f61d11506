/** All lessons with what is done of each, a question on an earlier one, and what goes with them. */

import { $, $$, h, icon, keyed, setAttr, setKids, setStyle, setText } from "../dom.js";
import { t } from "../texts.js";
import { createDrop, refusal } from "./file.js";
import { createGuide } from "./guide.js";
import { link } from "./link.js";
import { createPrediction } from "./predict.js";
import { inLanguage, languageNote, plain } from "./text.js";

/**
 * @typedef {import("./catalog.js").Lesson} Lesson
 * @typedef {import("./catalog.js").Step} Step
 * @typedef {import("./progress.js").Progress} Progress
 * @typedef {import("./own.js").Unread} Unread
 *
 * @typedef {object} Deps
 * @property {ReturnType<typeof import("./catalog.js").createCatalog>} catalog
 * @property {import("../api.d.ts").Described} described
 * @property {Progress} progress
 * @property {() => Lesson[]} lessons
 * @property {() => Lesson[]} own a teacher's
 * @property {() => Unread[]} unread those of them that can't be read here
 * @property {Parameters<typeof createGuide>[0]["explore"]} explore
 * @property {(lesson: Lesson) => void} onOwn
 * @property {(lesson: Lesson) => void} onForget
 * @property {(one: Unread) => void} onForgetUnread
 */

/** @param {Deps} deps */
export function createHome({
  catalog,
  described,
  progress,
  lessons,
  own,
  unread,
  explore,
  onOwn,
  onForget,
  onForgetUnread,
}) {
  const recall = h("div", { class: "recall" });
  const list = h("ol", { class: "lessoncards" });
  const mine = h("ol", { class: "lessoncards" });
  const lost = h("div");
  const ownBox = h("section", { hidden: true }, h("h2", {}, t("lesson.own.title")), mine, lost);
  const drop = createDrop({ catalog, lessons, onLesson: onOwn });
  const guide = createGuide({ catalog, described, lessons, explore });
  const names = ["lessons", "guide", "beliefs", "glossary"];
  const tabs = h(
    "div",
    { class: "seg hometabs", role: "group", "aria-label": t("lesson.tabs") },
    names.map((name, i) =>
      h(
        "button",
        {
          type: "button",
          "data-tab": name,
          "aria-pressed": String(i === 0),
          onclick: () => open(name),
        },
        t(`lesson.tab.${name}`),
      ),
    ),
  );
  const pages = h(
    "div",
    {},
    h("div", { "data-page": "lessons" }, recall, list, ownBox, drop.el),
    h("div", { "data-page": "guide", hidden: true }, guide.table),
    h("div", { "data-page": "beliefs", hidden: true }, guide.beliefs),
    h("div", { "data-page": "glossary", hidden: true }, guide.glossary),
  );
  const el = h(
    "div",
    { class: "lessonhome" },
    h(
      "div",
      { class: "viewhead" },
      h(
        "div",
        {},
        h("h1", { tabIndex: -1 }, t("nav.lessons")),
        h("p", { class: "lead" }, t("lesson.lead")),
        languageNote(),
      ),
    ),
    tabs,
    pages,
  );

  /** @param {string} name */
  function open(name) {
    for (const b of $$("button", tabs)) setAttr(b, "aria-pressed", String(b.dataset.tab === name));
    for (const page of $$("[data-page]", pages)) page.hidden = page.dataset.page !== name;
    if (name !== "lessons") guide.load();
  }

  /** @param {Element} host @param {Lesson[]} all @param {boolean} mayGo */
  function cards(host, all, mayGo) {
    keyed(
      host,
      all,
      (l) => l.id,
      (l) =>
        h(
          "li",
          {},
          h(
            "a",
            { href: link(l.id), class: "lessoncard panel" },
            h("span", { class: "mark", "aria-hidden": "true" }),
            h("span", { class: "title", dir: "auto" }, l.title),
            h("span", { class: "goal", ...inLanguage(l.lang) }, plain(l.goal)),
            h("span", { class: "meta" }),
            h(
              "span",
              { class: "strip small", role: "img" },
              h("span", { class: "piece even" }),
              h("span", { class: "piece chosen" }),
              h("span", { class: "piece void" }),
            ),
          ),
          mayGo
            ? h(
                "button",
                {
                  type: "button",
                  class: "iconbtn",
                  "aria-label": t("lesson.own.forget", { title: l.title }),
                  onclick: () => onForget(l),
                },
                icon("close"),
              )
            : null,
        ),
      (li, l) => {
        const { part, done, started, steps, tasks } = progress.share(l);
        const next = started && !done;
        const card = $(".lessoncard", li);
        card.classList.toggle("done", done);
        card.classList.toggle("begun", next);
        setKids($(".mark", card), done ? icon("check") : String(l.number));
        const needs = l.needs
          .map((id) => lessons().find((x) => x.id === id)?.title ?? id)
          .join(", ");
        setText(
          $(".meta", card),
          [
            t("lesson.minutes", { n: l.minutes }),
            needs ? `${t("lesson.needs")} ${needs}` : "",
            done ? t("lesson.state.done") : started ? t("lesson.state.begun") : "",
          ]
            .filter(Boolean)
            .join(" · "),
        );
        const strip = $(".strip", card);
        const [have, now, rest] = /** @type {HTMLElement[]} */ ([...strip.children]);
        const here = next ? 1 / (l.steps.length + l.tasks.length) : 0;
        setStyle(have, "--w", part);
        setStyle(now, "--w", Math.min(here, 1 - part));
        setStyle(rest, "--w", Math.max(0, 1 - part - here));
        now.hidden = !here;
        have.hidden = part === 0;
        setAttr(
          strip,
          "aria-label",
          t("lesson.progress", {
            n: tasks,
            n_of: l.tasks.length,
            n_steps: steps,
            n_all: l.steps.length,
          }),
        );
      },
    );
  }

  /** A lesson of the user's own that is kept and can't be read. @param {Unread} one */
  function unreadCard(one) {
    const { title, id } = one.value ?? {};
    const name = [title, id].find((v) => typeof v === "string" && v) ?? t("lesson.file.title");
    return h(
      "div",
      { class: "panel filetold" },
      ...refusal(t("lesson.own.unread", { title: name }), one.told),
      h(
        "button",
        { type: "button", class: "btn", onclick: () => onForgetUnread(one) },
        t("lesson.own.forget", { title: name }),
      ),
    );
  }

  // A look back -----------------------------------------------------------------------------------

  let turn = 0;
  function drawRecall() {
    const asked = lessons().flatMap((l) =>
      l.steps
        .filter((s) => s.kind === "recall" && s.prediction)
        .map((s) => ({ lesson: l, step: s })),
    );
    // One on a lesson that has been begun: a question on something never read recalls nothing.
    const known = asked.filter(({ lesson }) =>
      lesson.needs.some((id) => progress.of(id).seen.length > 0),
    );
    if (!known.length) return setKids(recall);
    const { lesson, step } = known[turn % known.length];
    const prediction = /** @type {import("./catalog.js").Prediction} */ (step.prediction);
    const card = createPrediction(prediction, {
      id: `recall${turn}`,
      lang: lesson.lang,
      guess: undefined,
      presenting: false,
      answer: () => undefined,
      onGuess: () => {},
    });
    $("h2", card.el).textContent = t("lesson.lookBack");
    const other = h(
      "button",
      {
        type: "button",
        class: "btn quiet",
        onclick() {
          turn++;
          drawRecall();
        },
      },
      t("lesson.otherQuestion"),
    );
    $(".guessacts", card.el).append(
      other,
      h("a", { href: link(lesson.id), class: "hint" }, lesson.title),
    );
    recall.replaceChildren(card.el);
  }

  return {
    el,
    draw() {
      cards(list, lessons(), false);
      cards(mine, own(), true);
      setKids(lost, ...unread().map(unreadCard));
      ownBox.hidden = own().length + unread().length === 0;
      if (!recall.contains(document.activeElement)) drawRecall();
    },
  };
}

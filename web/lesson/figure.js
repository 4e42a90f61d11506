/** What a step or a task puts on the table: one sheet, or several side by side, and how they run. */

import { createChart } from "../charts.js";
import { h, icon, setText } from "../dom.js";
import { t } from "../texts.js";
import { failureInWords } from "../wording.js";
import { wantsPage } from "./bench.js";
import { ownText, promptField, seedField } from "./fields.js";
import { overlaysOf, runsAtOnce, setupsOf, viewOf } from "./scene.js";
import { createRefusal, createSheet } from "./sheet.js";
import { stepAll } from "./steps.js";
import { readVariable } from "./vars.js";

/**
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./catalog.js").Step} Step
 * @typedef {import("./catalog.js").Task} Task
 * @typedef {import("./sheet.js").Sheet} Sheet
 * @typedef {import("./vars.js").Facts} Facts
 *
 * @typedef {object} Deps
 * @property {import("../reader.js").Engine} engine
 * @property {Described} described
 * @property {import("./toy.js").Toys} toys
 * @property {(name: string) => Promise<import("./catalog.js").StoredStep>} storedStep
 * @property {() => ModelInfo | null} page
 * @property {() => void} onAgain it could not be opened: from the start
 * @property {(facts: (Facts | null)[]) => void} onFacts
 */

/** A token lands no faster than this in a run, ms. */
const PACE = 160;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));
let figures = 0;

/** Whether a part needs the page's model. @param {Step | Task} part */
export const needsPage = (part) => setupsOf(part).some(wantsPage);

/** @param {Step | Task} part @param {Deps} deps */
export function createFigure(
  part,
  { engine, described, toys, storedStep, page, onAgain, onFacts },
) {
  const setups = setupsOf(part);
  const many = part.panes !== undefined;
  const id = `figure${++figures}`;
  const refusal = createRefusal();
  const el = h("div", { class: `figure view-${viewOf(part)}` });
  /** @type {Sheet[]} */
  let sheets = [];
  let running = false;
  let runs = 0; // a run that another one follows says nothing at its end
  let closed = false;
  /** @type {Promise<void>} */
  let tail = Promise.resolve();

  /** One thing after the other; what is refused is told.
   * @param {() => Promise<void>} job */
  const work = (job) => {
    tail = tail
      .then(async () => {
        if (closed) return;
        await job();
        refusal.tell("");
      })
      .catch((error) => {
        running = false;
        if (closed || error.code === "crash") return;
        // What has no code is said by the lesson itself, in words of its own.
        refusal.tell(error.code ? failureInWords(error) : error.message);
      });
    return tail;
  };
  /** What a hand does ends a run: when it does it, not when its turn comes. */
  const interrupt = () => {
    running = false;
  };

  /** @param {number} [pace] */
  async function run(pace = PACE) {
    if (running) return stop();
    const mine = ++runs;
    running = true;
    for (const s of sheets) s.running(true);
    drawRun();
    await work(async () => {
      const benches = sheets.map((s) => s.bench);
      // A text that has ended begins anew.
      if (benches.every((b) => b.status.stop)) for (const b of benches) await b.rewind();
      while (running && mine === runs && !closed) {
        const [more] = await Promise.all([
          stepAll(engine.call, benches),
          pace ? pause(pace) : null,
        ]);
        if (!more || closed) break;
        for (const s of sheets) await s.stepped(running);
      }
    });
    if (mine === runs) stop();
  }

  function stop() {
    running = false;
    for (const s of sheets) s.running(false);
    drawRun();
    work(async () => {
      for (const s of sheets) await s.refresh();
    });
  }

  function changed() {
    const facts = sheets.map((s) => s.facts);
    if (many) drawCompared(facts);
    onFacts(facts);
  }

  // Several side by side --------------------------------------------------------------------------

  const runSign = h("span", { class: "sign" }, icon("play"));
  const runLabel = h("span", {}, t("compare.run"));
  const runButton = h(
    "button",
    { type: "button", class: "btn", onclick: () => run() },
    runSign,
    runLabel,
  );
  const again = h(
    "button",
    {
      type: "button",
      class: "btn",
      onclick: () => {
        for (const s of sheets) s.act(() => s.bench.rewind());
      },
    },
    icon("back"),
    t("lesson.restart"),
  );
  function drawRun() {
    setText(runLabel, t(running ? "step.pause" : "compare.run"));
    runSign.replaceChildren(icon(running ? "pause" : "play"));
  }
  const anew = h("button", { type: "button", class: "btn", onclick: onAgain }, t("state.again"));
  const plot = h("div", { class: "plot" });
  const lines = h(
    "figure",
    { class: "bystep", hidden: true },
    h("figcaption", {}, t("lesson.byStep")),
    plot,
  );
  const chart = overlaysOf(part).has("surprise_lines") ? createChart(plot) : null;
  /** @type {HTMLElement[]} */
  let notes = [];

  /** @param {(Facts | null)[]} facts */
  function drawCompared(facts) {
    notes.forEach((note, i) => {
      const at = i ? readVariable(facts, { var: "first_difference", pane: i }) : -1;
      const told = typeof at === "number" && at >= 0;
      setText(note, told ? t("lesson.parts", { n: at + 1, label: setups[0].label }) : "");
    });
    const ready = facts.some((f) => f && f.status.text.length > 1);
    lines.hidden = !chart || !ready;
    if (chart && ready && !running) drawLines();
  }
  async function drawLines() {
    try {
      const sessions = sheets.map((s) => s.bench.status.session);
      const params = { name: "surprise", sessions, step: -1, draws: 0 };
      const { option } = await engine.call("chart", params);
      await chart?.set(option);
    } catch (error) {
      if (!closed) console.error(error);
    }
  }

  function build() {
    if (!many) {
      const [sheet] = sheets;
      const paged = wantsPage(setups[0]);
      el.append(
        ...(paged ? [h("div", { class: "sharedset" }, promptField(sheets))] : []),
        ...(paged && viewOf(part) === "surprise" ? [ownText(sheet)] : []),
        sheet.line,
        sheet.pictures,
        refusal.el,
        sheet.knobs,
      );
      return;
    }
    notes = sheets.map(() => h("p", { class: "hint parts" }));
    const paged = sheets.filter((_, i) => wantsPage(setups[i]));
    el.append(
      ...(paged.length
        ? [h("div", { class: "sharedset" }, promptField(paged), seedField(sheets))]
        : []),
      h("div", { class: "acts" }, runButton, again),
      refusal.el,
      h(
        "div",
        { class: "lessonpanes", "data-n": sheets.length },
        sheets.map((s, i) =>
          h(
            "section",
            { class: "lessonpane", "aria-label": setups[i].label },
            h("h3", {}, setups[i].label),
            s.line,
            notes[i],
            s.pictures,
            h("details", { class: "moreknobs" }, h("summary", {}, t("lesson.settings")), s.knobs),
          ),
        ),
      ),
      lines,
    );
  }

  return {
    el,
    /** Opens all sheets; false where the page's model is not there yet. */
    async open() {
      const model = page();
      if (needsPage(part) && !model) return false;
      sheets = setups.map((setup, i) =>
        createSheet(setup, part, {
          id: `${id}-${i}`,
          engine,
          described,
          toys,
          storedStep,
          page: model,
          work,
          interrupt,
          onChange: changed,
          onRun: () => run(),
        }),
      );
      await work(async () => {
        for (const s of sheets) await s.open();
        if (!closed) build();
      });
      if (!el.childElementCount) el.append(refusal.el, h("p", { class: "acts" }, anew));
      else if (runsAtOnce(part)) run(0);
      return true;
    },
    /** Plays a task's solution. @param {Task} task */
    async solve({ solution = {} }) {
      await sheets[solution.pane ?? 0]?.solve(solution);
      if ((solution.run || many) && !closed) await run(solution.run ? PACE : 0);
    },
    /** Sessions and toys go; after a crash there is nothing left to close. */
    close() {
      closed = true;
      running = false;
      chart?.close();
      tail = tail
        .then(async () => {
          for (const s of sheets) await s.close();
        })
        .catch(() => {});
    },
  };
}
/** @typedef {ReturnType<typeof createFigure>} Figure */

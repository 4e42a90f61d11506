/** One bench on the page: its text, its pictures, its settings. */

import { h, setText } from "../dom.js";
import { createLatest } from "../latest.js";
import { rowsOf } from "../rows.js";
import { t } from "../texts.js";
import { createBench, isToy, wantsPage } from "./bench.js";
import { variablesOf } from "./check.js";
import { choiceField } from "./fields.js";
import { fromFlat } from "./flat.js";
import { createKnobs } from "./knobs.js";
import { createLine } from "./line.js";
import { blocksOf } from "./pictures.js";
import { growsText, isTask, overlaysOf, viewOf } from "./scene.js";

/**
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("../control.js").Input} Input
 * @typedef {import("../settings.js").Settings} Settings
 * @typedef {import("./bench.js").Setup} Setup
 * @typedef {import("./toy.js").Toys} Toys
 * @typedef {import("./blocks.js").Context} Context
 * @typedef {import("./catalog.js").Step} Step
 * @typedef {import("./catalog.js").Task} Task
 * @typedef {import("./vars.js").Facts} Facts
 *
 * @typedef {object} Deps
 * @property {string} id
 * @property {import("../reader.js").Engine} engine
 * @property {Described} described
 * @property {Toys} toys
 * @property {(name: string) => Promise<import("./catalog.js").StoredStep>} storedStep
 * @property {ModelInfo | null} page
 * @property {(job: () => Promise<void>) => Promise<void>} work does one thing after the other
 * @property {() => void} interrupt ends a run
 * @property {() => void} onChange new facts are there
 * @property {() => void} onRun
 */

/** Rows of a view in which any token can be found that a task may ask for. */
const MANY = 1000;

/**
 * @param {Setup & {label: string}} setup
 * @param {Step | Task} part
 * @param {Deps} deps
 */
export function createSheet(setup, part, deps) {
  const { id, engine, described, toys, storedStep, page, work, interrupt, onChange, onRun } = deps;
  const toy = isToy(setup);
  const view = viewOf(part);
  const overlays = overlaysOf(part);
  const bench = createBench({ call: engine.call, described, toys, storedStep, page }, setup);
  const asksMuch = !toy && isTask(part) && variablesOf(part.check).some((v) => v.token);
  /** @type {Facts | null} */
  let facts = null;
  /** @type {number | null} the token on screen; null: the next one */
  let seen = null;
  /** Settings that the bench does not have yet: the controls show them already.
   * @type {Settings | null} */
  let wanted = null;
  /** How far the text had come before a setting changed. */
  let goal = { steps: 0, all: false };

  /** @type {Context} */
  const context = {
    id,
    engine,
    described,
    part,
    overlays,
    hands: {
      take: (token) => act(() => bench.take(token, seen ?? undefined)),
      stage: (kind, v, how) =>
        settings(
          {
            ...bench.settings,
            stages: bench.settings.stages.map((s) =>
              s.kind === kind ? { ...s, on: true, args: { ...s.args, [kind]: v } } : s,
            ),
          },
          how,
        ),
      die(v) {
        interrupt();
        die(v);
      },
      logits(row) {
        interrupt();
        logits(row);
      },
      throw: (n) => act(() => bench.draw(n)),
    },
  };
  const blocks = blocksOf(view, context, toy);
  const tokens = asksMuch ? MANY : Math.max(12, ...blocks.map((b) => b.tokens ?? 0));
  const line = createLine({
    onStep: () => act(step),
    onRun,
    onUndo: () => act(() => bench.rewind(bench.status.steps - bench.taken - 1)),
    onSee(index) {
      seen = index === seen ? null : index;
      interrupt();
      work(refresh);
    },
  });
  const knobs = createKnobs({
    id,
    described,
    part,
    words: toy ? toys.vocab.length : 0,
    onChange: (next, how) => settings(next, how),
  });
  const pictures = h(
    "div",
    { class: "figblocks" },
    blocks.map((b) => b.el),
  );
  const choice =
    wantsPage(setup) && growsText(part)
      ? choiceField((text) =>
          act(async () => {
            const { id: token, many } = await bench.tokenOf(text);
            if (token < 0) throw new Error(t("lesson.notOne", { text, n: many }));
            await bench.take(token, seen ?? undefined);
          }),
        )
      : null;
  const over = h("p", { class: "hint", hidden: true }, t("lesson.over"));

  async function step() {
    const { sessions } = await engine.call("step", { sessions: [bench.status.session] });
    if (sessions[0].error.code) throw new Error(sessions[0].error.message);
    bench.accept(sessions[0]);
  }

  /** Notes how far the text has come: a change of settings goes as far again. */
  function come() {
    goal = { steps: bench.status.steps, all: bench.status.stop !== "" };
  }

  /** Does something to the text, then shows it. @param {() => Promise<void>} job */
  const act = (job) => {
    interrupt();
    return work(async () => {
      await job();
      seen = null;
      come();
      await refresh();
    });
  };

  const tune = createLatest(async (/** @type {{next: Settings, live: boolean}} */ { next, live }) =>
    work(async () => {
      try {
        await bench.set(next);
      } finally {
        if (wanted === next) wanted = null;
      }
      seen = null;
      if (toy || !live) await again();
      await refresh(live);
    }),
  );
  /** @param {Settings} next @param {Input} how */
  const settings = (next, { live }) => {
    interrupt();
    wanted = next;
    tune({ next, live });
  };

  const die = createLatest((/** @type {number | null} */ v) =>
    work(async () => {
      await bench.setDie(v);
      await refresh(true);
    }),
  );
  const logits = createLatest((/** @type {number[] | null} */ row) =>
    work(async () => {
      await bench.setLogits(row);
      await refresh(true);
    }),
  );

  /** Generates as far as the text had come before its settings changed. */
  async function again() {
    while (!bench.status.stop && (goal.all || bench.status.steps < goal.steps)) {
      const before = bench.status.steps;
      await step();
      if (bench.status.steps === before || tune.waiting()) break;
    }
  }

  async function refresh(live = false) {
    facts = await bench.look({ step: seen ?? -1, rows: tokens });
    draw(live);
    onChange();
  }

  let runs = false;
  /** @param {boolean} [live] */
  function draw(live = false) {
    if (!facts) return;
    const f = facts;
    const seenView = f.view;
    line.draw(f, {
      prompt: bench.prompt,
      acts: growsText(part),
      running: runs,
      seen,
      surprise: view === "surprise" || overlays.has("surprise_lines"),
      loops: overlays.has("loop_mark") || view === "text" || isTask(part),
    });
    // Side by side, the pictures of one step give way to the texts.
    if (view === "compare") pictures.hidden = f.status.text.length > f.taken;
    over.hidden = seenView !== null || f.tree !== null;
    const rows = seenView ? rowsOf(seenView, bench.settings, described) : [];
    for (const block of blocks)
      if (seenView || (block.ofTree && f.tree))
        block.draw({
          facts: f,
          view: /** @type {import("../api.d.ts").View} */ (seenView),
          rows,
          settings: bench.settings,
          bench,
          step: seen ?? -1,
          live,
        });
    knobs.update(wanted ?? bench.settings, rows);
  }

  return {
    bench,
    line: line.el,
    pictures: h("div", { class: "figblocks" }, pictures, over, choice),
    knobs: knobs.el,
    get facts() {
      return facts;
    },
    async open() {
      await bench.open();
      come();
      await refresh();
    },
    refresh,
    /** After a step that was taken for all sheets at once. @param {boolean} running */
    async stepped(running) {
      runs = running;
      seen = null;
      come();
      await refresh(running);
    },
    /** Whether a run is on. @param {boolean} running */
    running(running) {
      runs = running;
      draw();
    },
    act,
    set: settings,
    /** Does what a solution says, but for its run. @param {NonNullable<Task["solution"]>} solution */
    solve: ({ settings: flat = {}, logits: row }) =>
      act(async () => {
        const { die: thrown, ...rest } = flat;
        await bench.set(fromFlat(described, { ...setup.settings, ...rest }, setup.shown));
        if (thrown !== undefined) await bench.setDie(thrown);
        if (row) await bench.setLogits(bench.vocab.map((word, i) => row[word] ?? bench.logits[i]));
      }),
    async close() {
      for (const block of blocks) block.close?.();
      await bench.close();
    },
  };
}
/** @typedef {ReturnType<typeof createSheet>} Sheet */

/** A note where a sheet cannot do what was asked. */
export function createRefusal() {
  const words = h("span", {});
  const el = h("p", { class: "notice refused", role: "alert", hidden: true }, words);
  return {
    el,
    /** @param {string} message empty: all is well */
    tell(message) {
      el.hidden = message === "";
      setText(words, message);
    },
  };
}

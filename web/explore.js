/**
 * Explore: the text, the settings, and one step of it as strips, bars, numbers
 * and a curve. It wires the parts; what a part shows is its own affair.
 */

import { BARS, createBars } from "./bars.js";
import { createBranches } from "./branches.js";
import { createControls } from "./controls.js";
import { createCurve } from "./curve.js";
import { createDock } from "./dock.js";
import { $, $$, say, setAttr, setText } from "./dom.js";
import { spoken } from "./format.js";
import { createLatest } from "./latest.js";
import { createNumbers } from "./numbers.js";
import { createCascade } from "./ribbon.js";
import { rowNote, rowsOf } from "./rows.js";
import { strategy, toWire } from "./settings.js";
import { createStep, RUN } from "./step.js";
import { createStops } from "./stops.js";
import { createTable, TABLE_ROWS } from "./table.js";
import { createText } from "./text.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./branches.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./api.d.ts").Token} Token
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./control.js").Input} Input
 *
 * @typedef {object} Change what a new picture is for
 * @property {boolean} [retune]
 * @property {boolean} [live]
 * @property {number} [stamp] time of the input event
 *
 * @typedef {object} Deps
 * @property {Engine} engine
 * @property {ReturnType<typeof import("./state.js").createStore>} store
 * @property {Described} described
 * @property {(error: unknown) => void} onError
 * @property {(name: "ready" | "empty" | "context" | "long", detail?: any) => void} onState
 */

/** A token lands no faster than this in a run, ms, so that it can be followed. */
const PACE = 120;
/** Typing settles for this long before the prompt is read, ms. */
const SETTLE = 120;
const PLAY = 900;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {HTMLElement} root @param {Deps} deps */
export function createExplore(root, { engine, store, described, onError, onState }) {
  /** @type {ModelInfo | null} */
  let model = null;
  /** @type {View | null} */
  let view = null;
  /** @type {import("./rows.js").Row[]} */
  let rows = [];
  /** @type {number | null} the generated token on screen; null: the next one */
  let seen = null;
  let selectedKey = ""; // of the row the bars show; empty: the last
  let mode = "bars";
  let surprise = false;
  let running = false;
  let playing = 0;

  const settings = () => /** @type {Settings} */ (store.get().settings);
  const kind = () =>
    /** @type {import("./api.d.ts").Kind} */ (strategy(described, settings().strategy));
  const tokenize = async (/** @type {string} */ text) =>
    model
      ? (await engine.call("tokenize", { model: model.model, text, bos: false })).tokens.map(
          (x) => x.id,
        )
      : [];
  const wire = () => toWire(described, settings(), model?.eos_token_id ?? 0, tokenize);

  // Parts -----------------------------------------------------------------------------------------

  const branches = createBranches(engine, {
    onChange: () => {
      saveBranches();
      showText();
      update({});
    },
    onReading: (done, total) => text.waiting(t("text.reading", { n: total, done })),
  });
  const text = createText($(".sentence", root), {
    onPrompt: (prompt) => setPrompt({ prompt }),
    onBos: (bos) => setPrompt({ bos }),
    onSee: (step) => see(seen === step ? null : step),
    onBranch: (index) => {
      seen = null;
      branches.select(index);
      update({ retune: true });
    },
  });
  const step = createStep($(".stepbar", root), {
    onStep: () => guard(branches.step()),
    onRun: () => (running ? stop() : run()),
    onUndo: () => guard(branches.rewind((branches.branch()?.status.steps ?? 1) - 1)),
    onSurprise: (on) => {
      surprise = on;
      showText();
    },
    onRewind: () => leave((at) => branches.rewind(at), "voice.rewound"),
    onFork: () => leave((at) => branches.fork(at), "voice.forked"),
    onBack: () => see(null),
  });
  const panel = $("#controls", root);
  const controls = createControls($(".groups", panel), {
    id: "c",
    described,
    onChange: (next, how) => {
      store.set({ settings: next });
      dock.sync(next);
      update({ retune: true, live: how.live, stamp: how.stamp });
    },
  });
  const dock = createDock(panel, { described });
  const cascade = createCascade($(".ribbonbox", root));
  const stops = createStops($(".stops", root), {
    onSelect: (key, last) => {
      selectedKey = last ? "" : key;
      draw(false);
    },
  });
  const bars = createBars($(".barpanel", root), {
    onTake: takeToken,
    onHover: (id) => cascade.hot(id),
  });
  const table = createTable($(".full", root));
  const numbers = createNumbers($(".nums", root));
  const curve = createCurve($(".curvepanel", root), {
    engine,
    described,
    onP: (p, how) => controls.set("top_p", p, how),
  });

  $(".playstages", root).addEventListener("click", playStages);
  for (const button of $$(".modes button", root))
    button.addEventListener("click", () => {
      mode = button.dataset.mode ?? "bars";
      for (const b of $$(".modes button", root)) setAttr(b, "aria-pressed", String(b === button));
      $(".bars", root).hidden = $(".below", root).hidden = mode !== "bars";
      $(".full", root).hidden = mode !== "table";
      update({});
    });

  // The prompt ------------------------------------------------------------------------------------

  let settle = 0;
  /** @param {{prompt?: string, bos?: boolean}} patch */
  function setPrompt(patch) {
    store.set({ ...patch, branches: [], branch: 0 });
    clearTimeout(settle);
    settle = window.setTimeout(() => openPrompt({ again: false }), SETTLE);
  }

  const openPrompt = createLatest(async (/** @type {{again: boolean}} */ { again }) => {
    if (!model) return;
    stop();
    const { prompt, bos, branches: saved, branch } = store.get();
    try {
      const { tokens } = await engine.call("tokenize", { model: model.model, text: prompt, bos });
      text.prompt(prompt, bos, tokens);
      if (tokens.length === 0) return onState("empty");
      if (tokens.length > model.n_positions)
        return onState("long", { tokens: tokens.length, model });
      const opened = await branches.open(
        model.model,
        tokens.map((x) => x.id),
        await wire(),
      );
      text.waiting("");
      if (!opened) return;
      seen = null;
      if (again && saved.length) await branches.restore(saved, branch);
      onState("ready");
      saveBranches();
      showText();
      update({});
    } catch (error) {
      onError(error);
    }
  });

  function saveBranches() {
    store.set({
      branches: branches.list.map(({ name, status }) => ({
        name,
        tokens: status.text.map((s) => [s.id, s.forced]),
      })),
      branch: branches.current,
    });
  }

  // Steps -----------------------------------------------------------------------------------------

  /** @param {Promise<unknown>} promise */
  const guard = (promise) => promise.catch(onError);

  /** How many steps had been taken before a generated token.
   * @param {number} index */
  const before = (index) => (branches.branch()?.status.text[index]?.step ?? 1) - 1;

  /** @param {number | null} index */
  function see(index) {
    seen = index;
    showText();
    update({});
  }

  /** Does something at the step on screen and returns to the next token.
   * @param {(at: number) => Promise<void>} act @param {string} words */
  function leave(act, words) {
    if (seen === null) return;
    const at = before(seen);
    seen = null;
    guard(act(at)).then(() => say(t(words)));
  }

  /** Takes a token by hand at the step on screen.
   * @param {number} id */
  function takeToken(id) {
    const b = branches.branch();
    if (!b || !view) return;
    const token = view.tokens.find((x) => x.id === id);
    const at = seen === null ? b.status.steps : before(seen);
    seen = null;
    guard(branches.force(id, at)).then(
      () => token && say(t("voice.took", { token: spoken(token) })),
    );
  }

  async function run() {
    running = true;
    showText();
    for (let n = 0; n < RUN && running; n++) {
      try {
        await Promise.all([branches.step(), pause(PACE)]);
      } catch (error) {
        stop();
        return onError(error);
      }
      if (branches.branch()?.status.stop) break;
    }
    stop();
  }
  function stop() {
    running = false;
    showText();
  }

  function playStages() {
    clearTimeout(playing);
    let i = 0;
    const next = () => {
      selectedKey = i >= rows.length - 1 ? "" : rows[i].key;
      draw(false);
      if (++i < rows.length) playing = window.setTimeout(next, PLAY);
    };
    next();
  }

  // The picture -----------------------------------------------------------------------------------

  const update = createLatest(
    async (/** @type {Change} */ { retune, live = false, stamp }) => {
      const b = branches.branch();
      if (!b) return;
      try {
        // Both go out together: the engine answers in order.
        const tuned = retune ? branches.retune(await wire()) : undefined;
        const asked = engine.call("view", {
          session: b.status.session,
          step: seen ?? -1,
          rows: mode === "bars" ? BARS : TABLE_ROWS,
        });
        const refused = tuned?.catch((error) => error);
        view = await asked;
        const error = await refused;
        if (error) throw error;
        message("");
      } catch (error) {
        if (!branches.branch()) return;
        return onError(error);
      }
      draw(live);
      if (stamp) measure(stamp);
      if (retune) showText();
    },
    (waiting, next) => ({
      ...next,
      retune: waiting.retune || next.retune,
      stamp: next.stamp ?? waiting.stamp,
    }),
  );

  /** Marks how long an input took to be drawn, for whoever measures.
   * @param {number} stamp */
  function measure(stamp) {
    performance.measure("input-drawn", { start: stamp, end: performance.now() });
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () =>
        performance.measure("input-painted", { start: stamp, end: performance.now() });
      channel.port2.postMessage(null);
    });
  }

  /** @param {boolean} live */
  function draw(live) {
    const b = branches.branch();
    if (!view || !b) return;
    root.classList.toggle("live", live);
    rows = rowsOf(view, settings(), described);
    const found = rows.findIndex((r) => r.key === selectedKey);
    const selected = found < 0 ? rows.length - 1 : found;
    const { draw: d, numbers: n } = view;
    const chosen = d.token;
    const label = `${rows.map((r) => `${r.label} ${r.value}: ${rowNote(r)}.`).join(" ")} ${
      chosen < 0
        ? ""
        : t(d.thrown ? "cascade.die" : "cascade.noDie", {
            share: d.die,
            token: spoken(view.tokens[chosen]),
          })
    }`;
    stops.update(rows, selected);
    cascade.update(view, rows, {
      die: d.thrown ? d.die : null,
      token: chosen,
      selected,
      label,
      live,
    });
    if (mode === "bars") bars.update(view, rows, selected, chosen);
    else table.update(view, rows);
    numbers.update(view);
    step.why(view, kind());
    controls.update(settings(), rows);
    curve.update(view, settings(), { session: b.status.session, step: seen ?? -1, live });
    say(t("voice.step", { n: n.kept_count, mass: n.model_kept_mass, bits: n.entropy.toFixed(1) }));
  }

  function showText() {
    const b = branches.branch();
    if (!b) return;
    const { text: steps, stop: why, stopDoc } = b.status;
    if (seen !== null && seen >= steps.length) seen = null;
    text.steps(steps, { seen, surprise, stop: why, stopDoc });
    text.branches(
      branches.list.map((x) => x.name),
      branches.current,
    );
    step.update(b.status, { seen, running, samples: kind().samples });
    if (why === "context" && seen === null && !running)
      onState("context", { model, steps: b.status.steps });
    else onState("ready");
  }

  /** A line below the text: what was refused and why. The picture stays.
   * @param {string} words */
  function message(words) {
    const line = $(".refused", root);
    line.hidden = words === "";
    setText($(".refusedtext", line), words);
  }

  return {
    message,
    edit: () => text.edit(true),
    /** Takes up the state's prompt and settings with a model that is ready.
     * @param {ModelInfo} info */
    start(info) {
      model = info;
      controls.update(settings());
      dock.sync(settings());
      openPrompt({ again: true });
    },
    /** Reads prompt and settings anew: they were changed elsewhere. */
    refresh() {
      controls.update(settings());
      dock.sync(settings());
      openPrompt({ again: true });
    },
    /** Shows another prompt.
     * @param {string} prompt */
    setPrompt: (prompt) => setPrompt({ prompt }),
    /** @param {number} steps */
    rewind: (steps) => guard(branches.rewind(Math.max(0, steps))),
    /** The engine has ended: nothing of it is left. */
    drop() {
      stop();
      branches.drop();
      model = null;
    },
  };
}

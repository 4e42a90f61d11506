/**
 * Explore: the text, the settings, and one step of it as strips, bars, numbers
 * and a curve. It wires the parts; what a part shows is its own affair.
 */

import { createBranches } from "./branches.js";
import { createControls } from "./controls.js";
import { createDock } from "./dock.js";
import { $, say, setText } from "./dom.js";
import { createLatest } from "./latest.js";
import { lookAt } from "./look.js";
import { measure } from "./measure.js";
import { createOpening } from "./opening.js";
import { createOutcome } from "./outcome.js";
import { createPicture } from "./picture.js";
import { tokenizer } from "./reader.js";
import { createRun } from "./run.js";
import { createSeen } from "./seen.js";
import { fullArgs, strategy, toWire } from "./settings.js";
import { createStep, RUN } from "./step.js";
import { asTaken, unthrown } from "./taken.js";
import { createText } from "./text.js";
import { createTextNotes } from "./textnotes.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./settings.js").Settings} Settings
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
 * @property {(error: unknown, kept?: boolean) => void} onError kept: the picture is of the settings before
 * @property {(name: "ready" | "empty" | "context" | "long", detail?: any) => void} onState
 * @property {(cut: boolean) => void} onCut whether what was kept of the text had to be cut
 */

/** @param {HTMLElement} root @param {Deps} deps */
export function createExplore(root, { engine, store, described, onError, onState, onCut }) {
  /** @type {ModelInfo | null} */
  let model = null;
  /** @type {import("./look.js").Looked | null} what the picture is of */
  let shown = null;
  /** What it was taken with, where that is not what is set now.
   * @type {ReturnType<typeof asTaken>} */
  let taken = null;
  let surprise = false;
  /** The engine did not take the settings on screen: no step is taken until it does. */
  let refused = false;

  const settings = () => /** @type {Settings} */ (store.get().settings);
  const kind = () =>
    /** @type {import("./api.d.ts").Kind} */ (strategy(described, settings().strategy));
  const wire = async () => ({
    ...(await toWire(
      described,
      settings(),
      model ?? { eos_token_id: -1, n_layer: 0 },
      tokenizer(engine, model?.model ?? -1),
    )),
    die: store.get().die ?? -1,
  });

  // Parts -----------------------------------------------------------------------------------------

  const branches = createBranches(engine, {
    onChange: () => {
      saveBranches();
      showText();
      update({});
    },
    onReading: (done, total) => text.waiting(t("text.reading", { n: total, done })),
  });
  const seen = createSeen({
    branches,
    shown: () => shown,
    guard,
    onChange() {
      showText();
      update({});
    },
  });
  const run = createRun({
    async step() {
      await branches.step();
      return branches.branch()?.status.stop === "";
    },
    onChange: showText,
    onError: (error) => failed(error),
  });
  const text = createText($(".sentence", root), {
    onPrompt: (prompt) => opening.type({ prompt }),
    onBos: (bos) => opening.type({ bos }),
    onSee: (step) => seen.toggle(step),
    onBranch: (index) => {
      seen.reset();
      branches.select(index);
      update({ retune: true });
    },
    onDrop: (index) => {
      seen.reset();
      branches.remove(index);
      update({ retune: true });
    },
  });
  const outcome = createOutcome($(".sentence", root));
  const notes = createTextNotes(engine, {
    branch: () => branches.branch(),
    prompt: () => JSON.stringify([model?.model, store.get().prompt, store.get().bos]),
    surprise: () => surprise,
    onMet: text.met,
    onNumbers: outcome.numbers,
    onError,
  });
  const step = createStep($(".stepbar", root), {
    onStep: () => guard(opening.read().then(() => branches.step())),
    onRun: () => (run.running ? run.stop() : guard(opening.read().then(() => run.start(RUN)))),
    onUndo: () => guard(branches.rewind((branches.branch()?.status.steps ?? 1) - 1)),
    onSurprise: (on) => {
      surprise = on;
      showText();
      notes.meet();
    },
    onRewind: () => seen.leave((at) => branches.rewind(at), "voice.rewound"),
    onFork: () => seen.leave((at) => branches.fork(at), "voice.forked"),
    onBack: () => seen.see(null),
    onThrow: () => {
      store.set({ die: null });
      update({ retune: true });
    },
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
  const picture = createPicture(root, {
    engine,
    described,
    onTake: (id) => seen.take(id),
    onP: (p, how) => controls.set("top_p", p, how),
    onDie: (die, { live, stamp }) => {
      store.set({ die });
      update({ retune: true, live, stamp });
    },
    onMode: () => update({}),
  });

  /** Shows that there is no text and no step. */
  function nothing() {
    text.none();
    outcome.none();
    step.none();
  }

  // The prompt ------------------------------------------------------------------------------------

  const opening = createOpening({
    engine,
    store,
    branches,
    text,
    model: () => model,
    wire,
    onBegin: () => run.stop(),
    onRead(unfit, tokens) {
      readable(unfit === null);
      if (!unfit) return;
      nothing();
      onState(unfit, { tokens, model });
    },
    onOpened() {
      refused = false;
      seen.reset();
    },
    onRestored(cut) {
      onCut(cut);
      onState("ready");
      saveBranches();
      showText();
      notes.meet();
      update({});
    },
    onFailed(error) {
      nothing();
      readable(false, true);
      onError(error);
    },
  });

  /** Whether the picture is of this prompt, and if not, whether it is hidden.
   * @param {boolean} on @param {boolean} [hidden] */
  function readable(on, hidden = false) {
    $(".pair", root).inert = !on;
    root.classList.toggle("unread", hidden);
  }

  /** The branch would go on with the settings it had, so it may not. While a slider
   * moves, the text is shown anew only where that changes.
   * @param {boolean} now @param {boolean} [live] */
  function refuse(now, live = false) {
    const changed = now !== refused;
    refused = now;
    if (now) run.stop();
    if (changed || !live) showText();
  }

  function saveBranches() {
    const { branches: kept, branch, die } = store.get();
    // A die set by hand is for one step.
    const before = kept[branch]?.tokens.length ?? 0;
    const moved = branches.branch()?.status.text.length !== before;
    store.set({ ...branches.toKeep(), die: moved ? null : die });
  }

  // Steps -----------------------------------------------------------------------------------------

  /** Tells of an error while there is a branch: that a session is gone with its model is none.
   * @param {unknown} error @param {boolean} [kept] */
  function failed(error, kept) {
    if (branches.branch()) onError(error, kept);
  }
  /** @param {Promise<unknown>} promise */
  function guard(promise) {
    return promise.catch((error) => failed(error));
  }

  // The picture -----------------------------------------------------------------------------------

  const update = createLatest(
    async (/** @type {Change} */ { retune, live = false, stamp }) => {
      if (retune && opening.failed()) return opening.open({ again: true });
      const b = branches.branch();
      if (!b) return;
      try {
        const next = retune ? await wire().catch((error) => ({ error })) : undefined;
        // Both go out together: the engine answers in order.
        const tuned =
          next && ("error" in next ? Promise.reject(next.error) : branches.retune(next));
        const what = { step: seen.get(), rows: picture.tokens(), searches: kind().beams };
        const asked = lookAt(engine, b.status, what);
        const failure = tuned?.catch((error) => error);
        const looked = await asked;
        const error = await failure;
        if (retune) refuse(error !== undefined, live);
        if (!refused) message("");
        draw(looked, live);
        if (stamp) measure(stamp);
        if (error) failed(error, true);
      } catch (error) {
        failed(error);
      }
    },
    (waiting, next) => ({
      ...next,
      retune: waiting.retune || next.retune,
      stamp: next.stamp ?? waiting.stamp,
    }),
  );

  /** @param {import("./look.js").Looked} looked @param {boolean} live */
  function draw(looked, live) {
    const b = branches.branch();
    if (!b) return;
    shown = looked;
    const { step: drawn, nodes } = looked;
    const over = drawn === null && b.status.stop !== "" && !kind().beams;
    const view = over ? unthrown(looked.view) : looked.view;
    const at = { session: b.status.session, step: drawn ?? -1, live };
    taken = drawn === null ? null : asTaken(view, settings(), described);
    if (taken) {
      picture.draw(taken.view, taken.settings, at);
      controls.update(settings(), [], b.status.ignored);
    } else controls.update(settings(), picture.draw(view, settings(), at), b.status.ignored);
    const { length_penalty: penalty } = fullArgs(kind(), settings().strategyArgs[kind().name]);
    const by = taken ? strategy(described, view.strategy) : null;
    const before = seen.before();
    step.why(view, by ?? kind(), {
      over,
      taken: taken?.tags ?? null,
      byHand: seen.get() === null && store.get().die !== null,
      search: nodes && { nodes, step: before === null ? null : before + 1, penalty },
    });
    const n = view.numbers;
    say(
      t("voice.step", {
        n: n.kept_count,
        mass: n.model_kept_mass,
        bits: n.entropy.toFixed(1),
      }),
    );
  }

  function showText() {
    const b = branches.branch();
    if (!b) return;
    const { text: steps, stop: why, stopDoc, rounds } = b.status;
    seen.keepWithin(steps.length);
    const at = seen.get();
    text.steps(steps, { seen: at, surprise, stop: why, stopDoc, rounds });
    outcome.update(b.status);
    notes.count();
    text.branches(
      branches.list.map((x) => x.name),
      branches.current,
    );
    step.update(b.status, { seen: at, running: run.running, refused, samples: kind().samples });
    if (why === "context" && at === null && !run.running)
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

  controls.update(settings());
  dock.sync(settings());
  text.prompt(store.get().prompt, store.get().bos, null);
  nothing();

  return {
    message,
    /** The step on screen; null: there is none. */
    at() {
      const b = branches.branch();
      return b
        ? {
            session: b.status.session,
            step: shown?.step ?? -1,
            settings: taken?.settings ?? settings(),
          }
        : null;
    },
    /** Takes a model that is ready.
     * @param {ModelInfo} info */
    start(info) {
      branches.drop();
      nothing();
      model = info;
      this.refresh();
    },
    /** Takes up the state's prompt and settings: they were changed elsewhere. */
    refresh() {
      controls.update(settings());
      dock.sync(settings());
      opening.open({ again: true });
    },
    /** Shows another prompt.
     * @param {string} prompt */
    setPrompt: (prompt) => opening.type({ prompt }),
    /** @param {number} steps */
    rewind: (steps) => guard(branches.rewind(Math.max(0, steps))),
    /** The engine has ended: nothing of it is left. */
    drop() {
      run.stop();
      branches.drop();
      model = null;
    },
  };
}

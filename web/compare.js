/**
 * Compare: two to six decoders on one prompt and one seed. The panes are
 * sessions that go on in step, each in the same pass over the weights.
 */

import { createBySteps } from "./bysteps.js";
import { createNumberMenu } from "./choices.js";
import { $, $$, icon, keyed, say, setAttr, setText } from "./dom.js";
import { createLatest } from "./latest.js";
import { createMetrics } from "./metrics.js";
import { createNumberField } from "./numberfield.js";
import { createPane } from "./pane.js";
import {
  firstPanes,
  MAX_PANES,
  MIN_PANES,
  paneName,
  paneOf,
  paneTags,
  presetOf,
  presets,
} from "./panes.js";
import { limitPrompt } from "./promptlimit.js";
import { createRace } from "./race.js";
import { checked, MAX_SEED } from "./settings.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./state.js").Pane} Pane
 * @typedef {ReturnType<typeof createPane>} PaneView
 *
 * @typedef {object} Live a pane on screen
 * @property {string} id
 * @property {Pane} pane
 * @property {PaneView} view
 *
 * @typedef {object} Entry what a pane has to show
 * @property {string} letter
 * @property {string} name
 * @property {string[]} tags
 * @property {import("./settings.js").Settings} settings
 * @property {import("./api.d.ts").Status | null} status
 *
 * @typedef {object} Deps
 * @property {Engine} engine
 * @property {ReturnType<typeof import("./state.js").createStore>} store
 * @property {Described} described
 * @property {(prompt: string) => void} onPrompt
 * @property {(error: unknown) => void} onError
 */

const LENGTHS = [30, 60, 100, 200];
/** Typing settles for this long before a prompt is read, ms. */
const SETTLE = 300;
/** How often charts and metrics are drawn during a run, ms. */
const PACE = 250;

/** @param {HTMLElement} root @param {Deps} deps */
export function createCompare(root, { engine, store, described, onPrompt, onError }) {
  /** @type {ModelInfo | null} */
  let model = null;
  /** @type {Live[]} */
  let live = [];
  let running = false;
  /** The state that the texts on screen are of; null: they are not made yet.
   * @type {import("./state.js").State | null} */
  let ran = null;
  let nextID = 1;
  let measuredAt = 0;

  const race = createRace(engine, described);
  const metrics = createMetrics($(".metrics", root));
  const tables = $$(".bysteps", root).map(createBySteps);
  const runButton = $(".runpanes", root);
  const addButton = $(".addpane", root);
  const prompt = /** @type {HTMLTextAreaElement} */ ($("#cmp-prompt", root));
  const seed = createNumberField({
    box: /** @type {HTMLInputElement} */ ($("#cmp-seed", root)),
    label: t("limit.seed"),
    low: 0,
    high: MAX_SEED,
    onNumber(v) {
      const { settings } = store.get();
      if (!settings) return;
      store.set({ settings: { ...settings, seed: v } });
      run();
    },
  });
  seed.field.closest("label")?.after(seed.error);
  const seeds = /** @type {HTMLInputElement[]} */ ($$("#cmp-seeds", root));
  const showLength = createNumberMenu($("#cmp-length", root), {
    offered: LENGTHS,
    label: (n) => t("compare.tokens", { n }),
    onNumber(n) {
      store.set({ paneTokens: n });
      run();
    },
  });

  // Panes -----------------------------------------------------------------------------------------

  /** @param {Pane} pane @returns {Live} */
  function add(pane) {
    const id = String(nextID++);
    const entry = /** @type {Live} */ ({ id, pane });
    entry.view = createPane({
      id,
      described,
      engine,
      onPreset: (name) => {
        const preset = presets(described).find((p) => p.name === name);
        if (preset) replace(entry, paneOf(described, preset));
      },
      onSettings: (settings) => replace(entry, { preset: presetOf(described, settings), settings }),
      onDuplicate() {
        const at = live.indexOf(entry);
        place(live.toSpliced(at + 1, 0, add(structuredClone(entry.pane))));
        keepFocus(at);
      },
      onRemove() {
        const at = live.indexOf(entry);
        place(live.filter((x) => x !== entry));
        keepFocus(at);
      },
    });
    return entry;
  }

  /** Keeps the focus at a pane when its button is gone or disabled. @param {number} at */
  function keepFocus(at) {
    const now = document.activeElement;
    if (now && now !== document.body && !now.matches(":disabled")) return;
    const { el } = live[Math.min(at, live.length - 1)].view;
    /** @type {HTMLElement | null} */ (el.querySelector(".paneacts button:enabled"))?.focus();
  }

  /** @param {Live} entry @param {Pane} pane */
  function replace(entry, pane) {
    entry.pane = pane;
    place(live);
  }

  /** Takes a new list of panes, keeps it, and runs what has no text yet.
   * @param {Live[]} next */
  function place(next) {
    for (const gone of live.filter((x) => !next.includes(x))) gone.view.close();
    live = next;
    store.set({ panes: live.map((x) => x.pane) });
    draw();
    run();
  }

  // Running ---------------------------------------------------------------------------------------

  /** What a pane runs with: its own settings, the seed and length of all.
   * @param {Live} entry @param {import("./state.js").State} state */
  const entryOf = ({ id, pane }, state) => ({
    id,
    settings: { ...pane.settings, seed: seedOf(id, state), max_new_tokens: state.paneTokens },
  });
  /** @param {string} id of a pane @param {import("./state.js").State} state */
  const seedOf = (id, { settings, paneSeeds }) => {
    const first = settings?.seed ?? 0;
    const more = paneSeeds ? live.findIndex((x) => x.id === id) : 0;
    return first + more > MAX_SEED ? first - more : first + more;
  };
  const statusOf = (/** @type {Live} */ x) => race.get(x.id)?.status ?? null;
  const finished = () => live.every((x) => race.get(x.id)?.error || statusOf(x)?.stop);

  const work = createLatest(async (/** @type {{}} */ _) => {
    const info = model;
    if (!info || !live.length) return;
    try {
      const state = store.get();
      await race.prepare(
        info,
        state,
        live.map((x) => entryOf(x, state)),
      );
      ran = state;
      draw();
      while (running && !work.waiting() && (await race.step())) {
        draw();
        if (performance.now() - measuredAt > PACE) await measure();
      }
      if (work.waiting()) return;
      if (running && finished()) say(t("compare.done", { n: live.length }));
      running = false;
      await measure();
      draw();
    } catch (error) {
      if (model !== info || work.waiting()) return; // of texts that are gone, or begin anew
      running = false;
      draw();
      onError(error);
    }
  });

  function run() {
    running = true;
    ran = null;
    draw();
    work({});
  }

  /** Charts and metrics of all panes. */
  async function measure() {
    const shown = live.flatMap((x) => {
      const session = statusOf(x)?.session;
      return session === undefined ? [] : [{ x, session }];
    });
    if (!shown.length) return;
    const all = shown.map(({ session }) => session);
    const { sessions } = await engine.call("metrics", { sessions: all });
    metrics.update(
      shown.map(({ x }, i) => ({
        letter: letter(x),
        name: paneName(described, x.pane),
        tags: paneTags(described, x.pane.settings),
        values: sessions[i],
      })),
    );
    const texts = live.map((x) => ({
      letter: letter(x),
      name: paneName(described, x.pane),
      steps: statusOf(x)?.text ?? [],
    }));
    for (const table of tables) table.update(texts);
    await Promise.all(shown.map(({ x, session }, i) => x.view.charts(session, all, sessions[i])));
    measuredAt = performance.now();
  }

  // The picture -----------------------------------------------------------------------------------

  const letter = (/** @type {Live} */ entry) => "ABCDEF"[live.indexOf(entry)];

  function draw() {
    const { prompt: text } = store.get();
    const box = $(".panes", root);
    setAttr(box, "data-n", live.length);
    const reference = statusOf(live[0])?.text ?? [];
    keyed(
      box,
      live,
      (x) => x.id,
      (x) => x.view.el,
      (_, x, i) =>
        x.view.update({
          letter: letter(x),
          first: i === 0,
          count: live.length,
          pane: x.pane,
          length: store.get().paneTokens,
          seed: store.get().paneSeeds ? seedOf(x.id, store.get()) : null,
          prompt: text,
          status: statusOf(x),
          error: race.get(x.id)?.error ?? "",
          reference,
        }),
    );
    addButton.toggleAttribute("disabled", live.length >= MAX_PANES);
    setText(
      $(".label", runButton),
      t(running ? "compare.pause" : finished() ? "compare.again" : "compare.run"),
    );
    const sign = icon(running ? "pause" : "play");
    if (!runButton.firstElementChild?.isEqualNode(sign))
      runButton.firstElementChild?.replaceWith(sign);
    if (document.activeElement !== prompt) prompt.value = text;
    seed.sync(store.get().settings?.seed ?? 0);
    showLength(store.get().paneTokens);
    for (const many of seeds) many.checked = store.get().paneSeeds;
  }

  runButton.addEventListener("click", () => {
    if (running) {
      running = false;
      return draw();
    }
    if (finished()) race.reset();
    run();
  });
  addButton.addEventListener("click", () => {
    const offers = presets(described);
    const fresh = offers.find((p) => !live.some((x) => x.pane.preset === p.name)) ?? offers[0];
    place([...live, add(paneOf(described, fresh))]);
    live[live.length - 1].view.el.scrollIntoView({ block: "nearest" });
  });
  $(".classic", root).addEventListener("click", () =>
    place(
      presets(described)
        .slice(0, MAX_PANES)
        .map((p) => add(paneOf(described, p))),
    ),
  );
  const limit = limitPrompt(prompt);
  prompt.closest("label")?.parentElement?.append(limit.note);
  let settle = 0;
  function settled() {
    clearTimeout(settle);
    onPrompt(prompt.value);
    if (prompt.value) run();
  }
  prompt.addEventListener("input", () => {
    clearTimeout(settle);
    settle = window.setTimeout(settled, SETTLE);
  });
  prompt.addEventListener("keydown", (e) => {
    if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    settled();
  });
  for (const many of seeds)
    many.addEventListener("change", () => {
      store.set({ paneSeeds: many.checked });
      run();
    });

  /** The panes of the state, or those of the start. */
  function take() {
    for (const gone of live) gone.view.close();
    const kept = store.get().panes.map((p) => {
      const { settings } = checked(described, p.settings);
      return { preset: presetOf(described, settings), settings };
    });
    live = (kept.length >= MIN_PANES ? kept.slice(0, MAX_PANES) : firstPanes(described)).map(add);
    store.set({ panes: live.map((x) => x.pane) }); // a link says them, also those of the start
  }
  take();

  /** @param {import("./state.js").State} state that the panes run with @returns {Entry[]} */
  const entries = (state) =>
    live.map((x) => ({
      letter: letter(x),
      name: paneName(described, x.pane),
      tags: paneTags(described, x.pane.settings),
      settings: entryOf(x, state).settings,
      status: statusOf(x),
    }));

  return {
    take,
    panes: () => entries(store.get()),
    /** The texts, and the state that they are of: by now another prompt or seed may be set. */
    ran: () => ran && { state: ran, panes: entries(ran) },
    /** @param {ModelInfo} info */
    start(info) {
      this.drop();
      model = info;
    },
    /** The view is on screen: what has no text yet gets one. */
    refresh() {
      draw();
      if (model && store.get().prompt) run();
    },
    pause() {
      running = false;
    },
    drop() {
      model = null;
      running = false;
      ran = null;
      race.drop();
    },
  };
}

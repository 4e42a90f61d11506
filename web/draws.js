/**
 * Draws: the die of one step thrown many times, against what was expected; and
 * whole texts from there on, merged into a tree. The step is the one that
 * follows the text of Explore.
 */

import { createNumberButtons, createNumberMenu } from "./choices.js";
import { $, h, say, setAttr, setKids, setText } from "./dom.js";
import { createDrawPicture } from "./drawpicture.js";
import { createDrawTable, verdict } from "./drawtable.js";
import { int } from "./format.js";
import { growTexts } from "./grow.js";
import { createGrowView } from "./growview.js";
import { createLatest } from "./latest.js";
import { paneTags } from "./panes.js";
import { closeSession, orClose, promptIds, readPrompt, tokenizer } from "./reader.js";
import { MAX_SEED, strategy, toWire } from "./settings.js";
import { listed, t } from "./texts.js";
import { throwRows } from "./throws.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./api.d.ts").Status} Status
 *
 * @typedef {object} Deps
 * @property {Engine} engine
 * @property {ReturnType<typeof import("./state.js").createStore>} store
 * @property {Described} described
 * @property {(error: unknown) => void} onError
 */

/** Rows of the table; what is left is one more. */
const ROWS = 13;
const COUNTS = [1, 10, 100, 1000];
const TEXTS = [10, 50, 100];
const LENGTHS = [3, 6, 12];
/** Between the seeds of one throwing and the next: not the one that is typed next. */
const SEEDS = 1000;

/** @param {HTMLElement} root @param {Deps} deps */
export function createDraws(root, { engine, store, described, onError }) {
  /** @type {ModelInfo | null} */
  let model = null;
  /** @type {{key: string, status: Status} | null} */
  let open = null;
  /** @type {import("./api.d.ts").Draws | null} */
  let thrown = null;
  let grownFor = ""; // what the tree was grown for
  let growing = false;

  const picture = createDrawPicture($(".drawpicture", root));
  const table = createDrawTable($(".drawtable", root));
  const tree = createGrowView($(".grownbox", root));
  const growButton = $(".growbtn", root);

  // The step --------------------------------------------------------------------------------------

  /** The settings that the die is thrown with: a strategy without one lends its shares. */
  function settings() {
    const own = /** @type {import("./settings.js").Settings} */ (store.get().settings);
    const { samples = false, beams = false } = strategy(described, own.strategy) ?? {};
    const seed = (own.seed + store.get().draws.again * SEEDS) % MAX_SEED;
    return { ...own, seed, strategy: samples && !beams ? own.strategy : "sampling" };
  }

  const wire = (/** @type {ModelInfo} */ m) =>
    toWire(described, settings(), m, tokenizer(engine, m.model));

  /** A session that stands at the step. @param {ModelInfo} info */
  async function stand(info) {
    const { prompt, bos, branches, branch } = store.get();
    const taken = branches[branch]?.tokens ?? [];
    const key = JSON.stringify([info.model, prompt, bos, taken.map(([id]) => id)]);
    if (open?.key === key) {
      open.status = await engine.call("retune", {
        session: open.status.session,
        settings: await wire(info),
      });
      return open.status;
    }
    const ids = await promptIds(engine, info, { prompt, bos });
    const read = await readPrompt(engine, {
      model: info.model,
      ids,
      settings: await wire(info),
    });
    const { session } = read;
    const status = await orClose(engine, session, async () => {
      let last = read;
      for (const [id] of taken) last = await engine.call("force", { session, id });
      return last;
    });
    if (open) closeSession(engine, open.status.session);
    open = { key, status };
    return status;
  }

  const ask = createLatest(async () => {
    const { prompt, draws } = store.get();
    const info = model;
    if (!info || !prompt) return;
    try {
      const { session, text } = await stand(info);
      const answer = await engine.call("draws", { session, step: -1, count: draws.count });
      thrown = answer;
      const rows = throwRows(answer, ROWS);
      drawContext(text.map((s) => s.text || s.hex).join(""));
      picture.update(rows, answer.dice, answer.count);
      table.update(rows);
      setText($(".drawsay", root), verdict(rows, answer.count));
      say(verdict(rows, answer.count));
      root.classList.remove("unread");
      await keepTree(session);
    } catch (error) {
      if (model !== info) return; // of a session that is gone
      root.classList.add("unread");
      onError(error);
    }
  });

  /** @param {string} text generated so far */
  function drawContext(text) {
    const own = /** @type {import("./settings.js").Settings} */ (store.get().settings);
    const kind = strategy(described, own.strategy);
    const lent = settings().strategy !== own.strategy;
    setKids(
      $(".ctxline", root),
      h("bdi", {}, store.get().prompt, text ? h("b", {}, text) : ""),
      " ",
      h("span", { class: "tok slot", "aria-hidden": "true" }, "?"),
      h("span", { class: "quiet" }, ` ${listed(paneTags(described, settings()))}`),
      lent ? h("span", { class: "quiet" }, ` ${t("draws.lent", { strategy: kind?.label })}`) : "",
    );
  }

  // Whole texts -----------------------------------------------------------------------------------

  const treeKey = () => {
    const { draws } = store.get();
    return JSON.stringify([open?.key, settings(), draws.texts, draws.length]);
  };

  /** Grows the tree anew when what it stands on has changed, once one was asked for.
   * @param {number} session */
  async function keepTree(session) {
    if (!growing && (grownFor === "" || grownFor === treeKey())) return;
    const { draws } = store.get();
    const info = /** @type {ModelInfo} */ (model);
    grownFor = treeKey();
    growing = true;
    setAttr(growButton, "aria-disabled", "true");
    $(".grownbox", root).hidden = false;
    await growTexts(engine, session, await wire(info), draws, {
      onGrown: (grown) => tree.update(grown),
      going: () => model === info && !ask.waiting(),
    });
    growing = ask.waiting() && treeKey() === grownFor; // it was broken off, and is wanted still
    if (!ask.waiting()) say(t("grow.done", { n: draws.texts }));
    setAttr(growButton, "aria-disabled", null);
  }

  // Controls --------------------------------------------------------------------------------------

  const showCount = createNumberButtons($(".counts", root), {
    offered: COUNTS,
    label: int,
    onNumber: (count) => change({ count }),
  });
  const showTexts = createNumberMenu($("#grow-n", root), {
    offered: TEXTS,
    label: (n) => t("grow.texts", { n }),
    onNumber: (n) => change({ texts: n }),
  });
  const showLength = createNumberMenu($("#grow-length", root), {
    offered: LENGTHS,
    label: (n) => t("tokens", { n }),
    onNumber: (n) => change({ length: n }),
  });

  function sync() {
    const { draws } = store.get();
    showCount(draws.count);
    showTexts(draws.texts);
    showLength(draws.length);
  }

  /** @param {Partial<import("./state.js").State["draws"]>} patch */
  function change(patch) {
    store.set({ draws: { ...store.get().draws, ...patch } });
    sync();
    ask(null);
  }
  $(".throwagain", root).addEventListener("click", () =>
    change({ again: store.get().draws.again + 1 }),
  );
  growButton.addEventListener("click", () => {
    if (growButton.getAttribute("aria-disabled")) return;
    growing = true;
    ask(null);
  });
  sync();

  return {
    /** @param {ModelInfo} info */
    start(info) {
      this.drop();
      root.classList.add("unread"); // until it is drawn
      model = info;
    },
    refresh() {
      sync();
      return ask(null);
    },
    /** The step and its throws; null: there are none. */
    at: () => open && { status: open.status, settings: settings(), draws: thrown },
    drop() {
      model = null;
      open = null;
    },
  };
}

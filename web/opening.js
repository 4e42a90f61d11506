/**
 * A prompt on its way from its box to the engine: typed, settled, tokenized,
 * read, and with the branches that it had.
 */

import { createLatest } from "./latest.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 *
 * @typedef {object} Deps
 * @property {Engine} engine
 * @property {ReturnType<typeof import("./state.js").createStore>} store
 * @property {ReturnType<typeof import("./branches.js").createBranches>} branches
 * @property {ReturnType<typeof import("./text.js").createText>} text
 * @property {() => ModelInfo | null} model
 * @property {() => Promise<any>} wire the settings, as the engine takes them
 * @property {() => void} onBegin
 * @property {(unfit: "empty" | "long" | null, count: number) => void} onRead whether it can be continued
 * @property {() => void} onOpened the session of the prompt alone is there
 * @property {(cut: boolean) => void} onRestored cut: what was kept of the text had to be
 * @property {(error: unknown) => void} onFailed
 */

/** Typing settles for this long before the prompt is read, ms. */
const SETTLE = 120;

/** @param {Deps} deps */
export function createOpening({ engine, store, branches, text, model, wire, ...on }) {
  let settle = 0;
  let unread = false; // there is a prompt that is not opened yet
  let failed = false;
  let opened = Promise.resolve();

  const work = createLatest(async (/** @type {{again: boolean}} */ { again }) => {
    const info = model();
    if (!info) return;
    unread = false;
    on.onBegin();
    const { prompt, bos, branches: saved, branch } = store.get();
    try {
      const { tokens, count } = await engine.call("tokenize", {
        model: info.model,
        text: prompt,
        bos,
      });
      text.prompt(prompt, bos, tokens);
      const unfit = count === 0 ? "empty" : count > info.n_positions ? "long" : null;
      if (unfit) branches.clear();
      on.onRead(unfit, count);
      if (unfit) return;
      const ids = tokens.map((x) => x.id);
      const there = await branches.open(info.model, ids, { ...(await wire()), die: -1 });
      text.waiting("");
      if (!there) return;
      failed = false;
      on.onOpened();
      const { die } = store.get();
      const cut = again && saved.length > 0 && (await branches.restore(saved, branch));
      store.set({ die });
      if (die !== null) await branches.retune(await wire());
      on.onRestored(cut);
    } catch (error) {
      if (model() !== info) return; // it went with its model
      failed = true;
      branches.clear();
      on.onFailed(error);
    }
  });

  /** Opens the prompt of the state; again: with the text that it had.
   * @param {{again: boolean}} how */
  function open(how) {
    opened = work(how);
    return opened;
  }

  return {
    open,
    /** Whether the engine did not even begin with the settings. */
    failed: () => failed,
    /** A step is one of the prompt on screen: it is read first. */
    async read() {
      clearTimeout(settle);
      if (unread) open({ again: false });
      await opened;
    },
    /** Takes another prompt, or another begin of it.
     * @param {{prompt?: string, bos?: boolean}} patch */
    type(patch) {
      store.set({ ...patch, branches: [], branch: 0, die: null });
      if (!model()) text.prompt(store.get().prompt, store.get().bos, null);
      unread = true;
      clearTimeout(settle);
      settle = window.setTimeout(() => open({ again: false }), SETTLE);
    },
  };
}

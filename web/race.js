/**
 * The sessions of a comparison. The prompt is read once, each pane is a fork of
 * that session, and all go on in the same pass over the weights.
 */

import { closeSession, promptIds, readPrompt, tokenizer } from "./reader.js";
import { toWire } from "./settings.js";
import { errorInWords } from "./wording.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./api.d.ts").Status} Status
 * @typedef {import("./settings.js").Settings} Settings
 *
 * @typedef {object} Runner
 * @property {string} tuned what the session is set to, as text
 * @property {Status | null} status null: the engine refused the settings
 * @property {string} error why, or why the text can't go on; or empty
 *
 * @typedef {object} Entry what one pane asks for
 * @property {string} id
 * @property {Settings} settings
 */

/** @param {Engine} engine @param {Described} described */
export function createRace(engine, described) {
  /** @type {Map<string, Runner>} */
  const runners = new Map();
  let base = { session: -1, key: "" };

  /** @param {Runner} [runner] */
  function end(runner) {
    if (runner?.status) closeSession(engine, runner.status.session);
  }

  return {
    /** @param {string} id */
    get: (id) => runners.get(id),

    /**
     * Makes a session for each entry that has none for these settings; others
     * stay as far as they are, and those of no entry end.
     *
     * @param {ModelInfo} model
     * @param {{prompt: string, bos: boolean}} text
     * @param {Entry[]} entries
     */
    async prepare(model, { prompt, bos }, entries) {
      const lists = tokenizer(engine, model.model);
      const wire = (/** @type {Settings} */ s) => toWire(described, s, model, lists);
      const key = JSON.stringify([model.model, prompt, bos]);
      if (key !== base.key) {
        const ids = await promptIds(engine, model, { prompt, bos });
        const settings = await wire(entries[0].settings);
        const { session } = await readPrompt(engine, { model: model.model, ids, settings });
        if (base.session >= 0) closeSession(engine, base.session);
        base = { session, key };
      }
      for (const [id, runner] of runners) {
        if (entries.some((e) => e.id === id)) continue;
        end(runner);
        runners.delete(id);
      }
      for (const { id, settings } of entries) {
        const tuned = JSON.stringify([base.key, settings]);
        if (runners.get(id)?.tuned === tuned) continue;
        end(runners.get(id));
        const { session } = await engine.call("fork", { session: base.session });
        try {
          const status = await engine.call("retune", { session, settings: await wire(settings) });
          runners.set(id, { tuned, status, error: "" });
        } catch (error) {
          closeSession(engine, session);
          runners.set(id, {
            tuned,
            status: null,
            error: errorInWords(/** @type {Error} */ (error)),
          });
        }
      }
    },

    /** One token for each text that goes on; false when none does. */
    async step() {
      const open = [...runners.values()].filter((r) => r.status && !r.status.stop && !r.error);
      if (!open.length) return false;
      const sessions = open.map((r) => /** @type {Status} */ (r.status).session);
      try {
        const answer = await engine.call("step", { sessions });
        for (const [i, runner] of open.entries()) {
          const status = answer.sessions[i];
          runner.status = status;
          if (status.error.code) runner.error = errorInWords(status.error);
        }
      } catch (error) {
        // None of them went on.
        if (/** @type {any} */ (error).code === "crash") throw error;
        for (const runner of open) runner.error = errorInWords(/** @type {Error} */ (error));
      }
      return true;
    },

    /** Lets all begin again from the prompt at the next prepare. */
    reset() {
      for (const runner of runners.values()) runner.tuned = "";
    },

    /** Forgets all without a word to the engine, which has lost them. */
    drop() {
      runners.clear();
      base = { session: -1, key: "" };
    },
  };
}

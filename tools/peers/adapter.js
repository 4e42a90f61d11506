/**
 * The page's engine as a contender of the speed harness: the worker and the
 * loader of the site, with sessions of greedy search, and after each step all
 * logits handed to this page. cfg.site is where the site's scripts lie,
 * cfg.model a model folder.
 */

import { fromStepper } from "/page/stepper.js";

const settings = {
  strategy: "greedy",
  strategyArgs: {},
  strategySeqs: [],
  stages: [],
  seed: 1,
  die: -1,
  max_new_tokens: 1024,
  max_length: 0,
  max_time: 0,
  eos: [],
  stop: [],
  draft: 0,
  assistant_early_exit: 0,
};

/** @param {{site: string, model: string}} cfg */
export async function create(cfg) {
  const { createEngine } = await import(`${cfg.site}engine.js`);
  const engine = createEngine();
  const { model } = await engine.loadModel(cfg.model);
  /** @type {number[]} */
  let sessions = [];

  /** @param {number[]} ids */
  async function open(ids) {
    const { session } = await engine.call("open", { model, ids, settings });
    while ((await engine.call("feed", { session, count: 64 })).done < ids.length);
    return session;
  }

  /** @type {ArrayBuffer | undefined} the harness has done with it when it asks for more */
  let spare;

  /** The logits of what follows each session's text, row after row. */
  async function logits() {
    const asked = engine.call("logits", { sessions }, undefined, spare);
    spare = undefined; // it is the engine's
    const { logits } = await asked;
    spare = logits.buffer;
    return logits;
  }

  return fromStepper(
    {
      async reset() {
        await Promise.all(sessions.map((session) => engine.call("close", { session })));
        sessions = [];
      },
      /** The harness takes the likeliest token, and so does greedy search.
       * @param {number[][]} rows */
      async feed(rows) {
        if (sessions.length === 0) {
          sessions = await Promise.all(rows.map(open));
        } else {
          const [answer, all] = await Promise.all([engine.call("step", { sessions }), logits()]);
          for (const [i, status] of answer.sessions.entries()) {
            const took = status.text.at(-1).id;
            if (took !== rows[i][0]) throw new Error(`row ${i}: took ${took}, want ${rows[i][0]}`);
          }
          return all;
        }
        return logits();
      },
    },
    { info: () => ({ site: cfg.site }) },
  );
}

/** Reading a prompt: from its text to a session that can step. */

/**
 * @typedef {ReturnType<typeof import("./engine.js").createEngine>} Engine
 * @typedef {import("./api.d.ts").Open} Open
 * @typedef {import("./api.d.ts").Status} Status
 */

/** Prompt tokens read in one call: short, so that the worker stays answerable. */
const CHUNK = 32;

/** What turns a text into ids, for settings that hold texts.
 * @param {Engine} engine @param {number} model */
export const tokenizer = (engine, model) => async (/** @type {string} */ text) => {
  const { tokens, count } = await engine.call("tokenize", { model, text, bos: false });
  if (count > tokens.length)
    throw Object.assign(new Error(`text: ${count} tokens, want at most ${tokens.length - 1}`), {
      code: "bad_request",
    });
  return tokens.map((token) => token.id);
};

/** The ids of a prompt. One that the model cannot read whole is refused.
 * @param {Engine} engine
 * @param {import("./api.d.ts").ModelInfo} model
 * @param {{prompt: string, bos: boolean}} text */
export async function promptIds(engine, { model, n_positions: most }, { prompt, bos }) {
  const { tokens, count } = await engine.call("tokenize", { model, text: prompt, bos });
  if (count > most)
    throw Object.assign(new Error(`prompt: ${count} tokens, want at most ${most}`), {
      code: "context_full",
    });
  return tokens.map((token) => token.id);
}

/**
 * Opens a session and reads its prompt. Where going says no any more, reading
 * ends early and the session is as it is.
 *
 * @param {Engine} engine
 * @param {Open} open
 * @param {{onRead?: (done: number, total: number) => void, going?: () => boolean}} [options]
 * @returns {Promise<Status>}
 */
export async function readPrompt(engine, open, { onRead, going = () => true } = {}) {
  const { session } = await engine.call("open", open);
  return orClose(engine, session, async () => {
    for (;;) {
      const { done, total } = await engine.call("feed", { session, count: CHUNK });
      if (done >= total || !going()) break;
      onRead?.(done, total);
    }
    return engine.call("status", { session });
  });
}

/**
 * Does something with a new session that nobody else knows yet: where that
 * fails, the session goes.
 *
 * @template T
 * @param {Engine} engine @param {number} session @param {() => Promise<T>} work
 */
export async function orClose(engine, session, work) {
  try {
    return await work();
  } catch (error) {
    closeSession(engine, session);
    throw error;
  }
}

/** Forgets a session; that it may be gone already is no matter.
 * @param {Engine} engine @param {number} session */
export const closeSession = (engine, session) =>
  void engine.call("close", { session }).catch(() => {});

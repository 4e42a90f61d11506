/** How the model meets the prompt: the surprise of each of its tokens, read in pieces when it is asked for. */

/**
 * @typedef {import("./reader.js").Engine} Engine
 *
 * @typedef {object} Met
 * @property {number} surprise bits; below 0 for the first token, which nothing precedes
 * @property {number} rank in the model's order, from 1
 */

/** Tokens read in one call: short, so that the worker stays answerable. */
const CHUNK = 16;

/** @param {Engine} engine */
export function createMet(engine) {
  let key = "";
  /** @type {Met[]} */
  let met = [];

  return {
    /**
     * Reads what is not known yet of the prompt of a session.
     *
     * @param {number} session
     * @param {string} prompt names the prompt: another one begins anew
     * @param {(met: Met[]) => boolean} onRead takes what is known so far; false: enough
     */
    async read(session, prompt, onRead) {
      if (key !== prompt) [key, met] = [prompt, []];
      for (let total = met.length + 1; met.length < total; ) {
        const from = met.length;
        const answer = await engine.call("promptSurprise", { session, from, count: CHUNK });
        if (key !== prompt || from !== met.length) return;
        total = answer.total;
        const { rank } = answer;
        met = [
          ...met,
          ...Array.from(answer.surprise, (surprise, i) => ({ surprise, rank: rank[i] })),
        ];
        if (!onRead(met)) return;
      }
      onRead(met);
    },
  };
}

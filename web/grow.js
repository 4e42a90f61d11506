/** Many whole texts from one step, each with a seed of its own, all in the same passes. */

import { closeSession } from "./reader.js";
import { MAX_SEED } from "./settings.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Settings} WireSettings
 * @typedef {import("./merge.js").Piece} Piece
 */

/** Between the seeds of two texts: the next seed is to grow other texts. */
const APART = 2 ** 40;

/**
 * Grows texts by at most so many tokens. Where going says no any more it ends
 * early, with what there is.
 *
 * @param {Engine} engine
 * @param {number} from a session that stands where the texts begin; it stays as it is
 * @param {WireSettings} settings the first text has their seed
 * @param {{texts: number, length: number}} how
 * @param {{onGrown: (texts: Piece[][]) => void, going: () => boolean}} deps
 */
export async function growTexts(engine, from, settings, { texts, length }, { onGrown, going }) {
  /** @type {number[]} */
  const sessions = [];
  try {
    for (let i = 0; i < texts && going(); i++) {
      const { session } = await engine.call("fork", { session: from });
      sessions.push(session);
      const seed = (settings.seed + i * APART) % MAX_SEED;
      await engine.call("retune", { session, settings: { ...settings, seed } });
    }
    const { steps } = await engine.call("status", { session: from });
    /** @type {Set<number>} */
    const open = new Set(sessions);
    /** @type {Map<number, Piece[]>} */
    const grown = new Map(sessions.map((s) => [s, []]));
    for (let n = 0; n < length && open.size && going(); n++) {
      const answer = await engine.call("step", { sessions: [...open] });
      for (const status of answer.sessions) {
        grown.set(status.session, status.text.slice(steps));
        if (status.stop || status.error.code) open.delete(status.session);
      }
      onGrown([...grown.values()]);
    }
  } finally {
    for (const session of sessions) closeSession(engine, session);
  }
}

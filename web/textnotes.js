/**
 * What is worked out about the text on screen as often as there is time for it:
 * the surprise of its prompt, while that is shown, and the numbers of the whole.
 */

import { createLatest } from "./latest.js";
import { createMet } from "./met.js";

/**
 * @typedef {import("./branches.js").Branch} Branch
 * @typedef {import("./met.js").Met} Met
 *
 * @typedef {object} Deps
 * @property {() => Branch | undefined} branch the one on screen
 * @property {() => string} prompt names what it stands on
 * @property {() => boolean} surprise whether surprise is shown
 * @property {(met: Met[]) => void} onMet
 * @property {(numbers: import("./api.d.ts").Metrics | null) => void} onNumbers null: there is no text yet
 * @property {(error: unknown) => void} onError
 */

/** @param {import("./reader.js").Engine} engine @param {Deps} deps */
export function createTextNotes(engine, { branch, prompt, surprise, onMet, onNumbers, onError }) {
  const met = createMet(engine);

  const meet = createLatest(async (/** @type {{}} */ _) => {
    const b = branch();
    if (!b || !surprise()) return onMet([]);
    const going = () => surprise() && branch() === b && !meet.waiting();
    try {
      await met.read(b.status.session, prompt(), (list) => {
        onMet(list);
        return going();
      });
    } catch (error) {
      if (going()) onError(error);
    }
  });

  const count = createLatest(async (/** @type {{}} */ _) => {
    const b = branch();
    if (!b) return onNumbers(null);
    try {
      const { sessions } = await engine.call("metrics", { sessions: [b.status.session] });
      onNumbers(sessions[0]);
    } catch (error) {
      if (branch()) onError(error);
    }
  });

  return {
    /** Colours the prompt, or takes the colours away. */
    meet: () => meet({}),
    /** Tells the numbers anew. */
    count: () => count({}),
  };
}

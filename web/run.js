/** Runs steps one after the other until told to stop. */

/** A token lands no faster than this, ms, so that it can be followed. */
const PACE = 120;

const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {object} deps
 * @param {() => Promise<boolean>} deps.step takes one; false when there is no other
 * @param {() => void} deps.onChange it has started or stopped
 * @param {(error: unknown) => void} deps.onError
 */
export function createRun({ step, onChange, onError }) {
  let run = 0; // number of the one under way; 0: none is
  let runs = 0;

  function stop() {
    if (!run) return;
    run = 0;
    onChange();
  }

  return {
    get running() {
      return run !== 0;
    },
    stop,
    /** Ends the run under way, which may still wait for its last step.
     * @param {number} count */
    async start(count) {
      const mine = ++runs;
      run = mine;
      onChange();
      try {
        for (let n = 0; n < count && run === mine; n++) {
          const [more] = await Promise.all([step(), pause(PACE)]);
          if (!more) break;
        }
      } catch (error) {
        onError(error);
      }
      if (run === mine) stop();
    },
  };
}

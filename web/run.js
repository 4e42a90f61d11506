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
  let running = false;

  function stop() {
    if (!running) return;
    running = false;
    onChange();
  }

  return {
    get running() {
      return running;
    },
    stop,
    /** @param {number} count */
    async start(count) {
      running = true;
      onChange();
      try {
        for (let n = 0; n < count && running; n++) {
          const [more] = await Promise.all([step(), pause(PACE)]);
          if (!more) break;
        }
      } catch (error) {
        onError(error);
      }
      stop();
    },
  };
}

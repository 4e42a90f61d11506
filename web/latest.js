/**
 * Runs a job one at a time, with the newest argument: what is asked for while
 * it runs waits, and is merged with what waits already.
 *
 * @template T
 * @param {(arg: T) => Promise<void>} job handles its own errors
 * @param {(waiting: T, next: T) => T} [merge]
 */
export function createLatest(job, merge = (_, next) => next) {
  let busy = false;
  /** @type {{arg: T} | null} */
  let waiting = null;
  let done = Promise.resolve();

  async function run() {
    busy = true;
    while (waiting) {
      const { arg } = waiting;
      waiting = null;
      await job(arg);
    }
    busy = false;
  }

  /** @param {T} arg @returns {Promise<void>} when nothing is left to do */
  function ask(arg) {
    waiting = { arg: waiting ? merge(waiting.arg, arg) : arg };
    if (!busy) done = run();
    return done;
  }
  /** Whether nothing runs or waits. */
  ask.idle = () => !busy && !waiting;
  /** Whether something newer waits. */
  ask.waiting = () => waiting !== null;
  return ask;
}

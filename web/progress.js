/** What a load has come to, as the page is told: bytes, rate and time left. */

/**
 * @typedef {import("./api.d.ts").Part} Part
 * @typedef {import("./engine.js").Progress} Progress
 * @typedef {ReturnType<ReturnType<typeof createProgress>["of"]>} PartProgress
 *
 * @typedef {object} Sample
 * @property {number} time in ms
 * @property {number} loaded decoded bytes that are there
 * @property {number} local those of them that did not come over the wire
 * @property {number} wire bytes that came over the wire
 */

const every = 50; // ms between two messages
const span = 5000; // ms that rates are measured over
const longest = 6 * 3600; // s left; a line that slow stands still for who waits

/**
 * Adds up what the lanes have done, in decoded bytes of the manifest.
 *
 * @param {Part[]} parts
 * @param {Set<number>} done those that are in place already
 * @param {() => string} note
 * @param {(p: Progress) => void} onProgress
 */
export function createProgress(parts, done, note, onProgress) {
  /** @type {number[]} */
  const shares = parts.map((_, i) => (done.has(i) ? 1 : 0));
  const total = parts.reduce((sum, p) => sum + p.bytes, 0);
  const local = new Set(done); // parts that say nothing of the line's speed
  /** @type {Sample[]} over the last span */
  const samples = [{ time: performance.now(), loaded: sum(), local: sum(local), wire: 0 }];
  let wire = 0;
  let last = -every;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later; // tells what came too soon after the last message
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let idle; // tells that nothing came for a whole span

  /** Bytes that are there, of all parts or of some. @param {Set<number>} [of] */
  function sum(of) {
    const bytesOf = (/** @type {Part} */ p, /** @type {number} */ i) =>
      of && !of.has(i) ? 0 : p.bytes * shares[i];
    return Math.floor(parts.reduce((bytes, p, i) => bytes + bytesOf(p, i), 0));
  }

  function share(/** @type {number} */ index, /** @type {number} */ x) {
    shares[index] = Math.min(x, 0.99);
    tell();
  }

  function tell() {
    const rest = last + every - performance.now();
    if (rest <= 0) send();
    else later ??= setTimeout(send, rest);
  }

  function send() {
    stop();
    const time = performance.now();
    last = time;
    const loaded = sum();
    samples.push({ time, loaded, local: sum(local), wire });
    while (samples.length > 2 && time - samples[1].time > span) samples.shift();
    const part = shares.filter((s) => s === 1).length;
    const pace = paceOf(samples, total);
    if (pace.rate > 0) idle = setTimeout(send, span + every);
    onProgress({ loaded, total, wire, part, parts: parts.length, note: note(), ...pace });
  }

  function stop() {
    clearTimeout(later);
    clearTimeout(idle);
    later = undefined;
  }

  return {
    of: (/** @type {number} */ index) => ({
      /** n bytes came over the wire; x of the part is there now. */
      came(/** @type {number} */ n, /** @type {number} */ x) {
        wire += n;
        local.delete(index); // the stored one was wrong
        share(index, x);
      },
      /** x of the part is there now, from the store. */
      share(/** @type {number} */ x) {
        local.add(index);
        share(index, x);
      },
      done() {
        shares[index] = 1;
        tell();
      },
    }),
    finish() {
      send();
      stop();
    },
    /** Nothing is told any more. */
    stop,
  };
}

/**
 * @param {Sample[]} samples first to last
 * @param {number} total
 * @returns {{rate: number, left: number}} bytes a second over the wire, and seconds;
 *   -1: not known, or too long to say
 */
export function paceOf(samples, total) {
  const [from, to] = [samples[0], samples[samples.length - 1]];
  const seconds = (to.time - from.time) / 1000;
  if (seconds < 1) return { rate: -1, left: -1 };
  const speed = (to.loaded - to.local - (from.loaded - from.local)) / seconds;
  const left = speed > 0 ? (total - to.loaded) / speed : -1;
  const came = to.wire - from.wire;
  const stored = came === 0 && to.loaded > from.loaded; // then the line does nothing
  return { rate: stored ? -1 : came / seconds, left: left > longest ? -1 : left };
}

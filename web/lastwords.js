/**
 * Listens to what a Go program writes before it ends, and says why it ended. To be
 * called before the program is started.
 *
 * @param {string} name "the engine"
 * @returns {() => Error}
 */
export function listenForEnd(name) {
  let said = "";
  const { fs } = /** @type {any} */ (globalThis);
  const write = fs.writeSync;
  fs.writeSync = (/** @type {number} */ to, /** @type {Uint8Array} */ bytes) => {
    said = (said + new TextDecoder().decode(bytes)).slice(0, 1000);
    return write(to, bytes);
  };
  return () =>
    new Error(
      /out of memory/.test(said)
        ? "there is not enough memory"
        : `${name} ended; its last words are in the console`,
    );
}

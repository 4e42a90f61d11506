/** What goes wrong while a model loads. */

/** An error with one of the codes in engine.js. */
export class LoadError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {boolean} [lasting] whether trying again is of no use
   */
  constructor(code, message, lasting = false) {
    super(message);
    this.code = code;
    this.lasting = lasting;
  }
}

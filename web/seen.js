/** Which step of the text is on screen, and what is done from there. */

import { say } from "./dom.js";
import { spoken } from "./format.js";
import { t } from "./texts.js";

/**
 * @typedef {object} Deps
 * @property {ReturnType<typeof import("./branches.js").createBranches>} branches
 * @property {() => import("./look.js").Looked | null} shown what the picture is of
 * @property {() => void} onChange
 * @property {<T>(act: Promise<T>) => Promise<unknown>} guard tells of what fails
 */

/** @param {Deps} deps */
export function createSeen({ branches, shown, onChange, guard }) {
  /** @type {number | null} the generated token on screen; null: the next one */
  let seen = null;

  /** How many steps had been taken before a generated token.
   * @param {number} index */
  const before = (index) => (branches.branch()?.status.text[index]?.step ?? 1) - 1;

  /** @param {number | null} index */
  function see(index) {
    seen = index;
    onChange();
  }

  return {
    /** The generated token whose step is on screen; null: the next one. */
    get: () => seen,
    /** How many steps had been taken before it; null: all. */
    before: () => (seen === null ? null : before(seen)),
    see,
    /** Shows the step of a token, or the next one where that is on screen.
     * @param {number | null} index */
    toggle: (index) => see(seen === index ? null : index),
    /** What comes is the next token; no picture is drawn for it yet. */
    reset() {
      seen = null;
    },
    /** A text of so many tokens may no longer have the one on screen.
     * @param {number} length */
    keepWithin(length) {
      if (seen !== null && seen >= length) seen = null;
    },
    /** Does something at the step on screen and returns to the next token.
     * @param {(at: number) => Promise<void>} act @param {string} words */
    leave(act, words) {
      if (seen === null) return;
      const at = before(seen);
      seen = null;
      guard(act(at)).then(() => say(t(words)));
    },
    /** Takes a token by hand at the step on screen.
     * @param {number} id */
    take(id) {
      const b = branches.branch();
      const looked = shown();
      if (!b || !looked) return;
      const token = looked.view.tokens.find((x) => x.id === id);
      const at = looked.step === null ? b.status.steps : before(looked.step);
      seen = null;
      guard(branches.force(id, at)).then(
        () => token && say(t("voice.took", { token: spoken(token) })),
      );
    },
  };
}

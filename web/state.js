/**
 * The state of the page: one plain value, kept in the browser's storage and,
 * where it makes a link, in the address. So a reload loses nothing.
 */

import { VIEWS, writeFragment } from "./fragment.js";
import { readKept } from "./kept.js";
import { link, readLink } from "./lesson/link.js";
import { brief, readFragment } from "./readfragment.js";

export { VIEWS, writeFragment };

/**
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Stage} Stage
 *
 * @typedef {object} Branch
 * @property {string} name
 * @property {[number, boolean][]} tokens id, and whether it was taken by hand
 *
 * @typedef {object} Pane
 * @property {string} preset
 * @property {Settings} settings
 *
 * @typedef {object} State
 * @property {string} view
 * @property {string} prompt
 * @property {boolean} bos whether <|endoftext|> stands before the prompt
 * @property {Settings | null} settings null: those of the start
 * @property {Branch[]} branches
 * @property {number} branch
 * @property {Pane[]} panes
 * @property {number} paneTokens
 * @property {boolean} paneSeeds whether each pane has a seed of its own: one more than the pane before
 * @property {{num_beams: number, steps: number, length_penalty: number}} beams
 * @property {{count: number, texts: number, length: number, again: number}} draws throws,
 *   whole texts and their tokens, and how often all were thrown again
 * @property {number | null} die of the next step, set by hand
 * @property {string} lesson in the lessons: which, and its step, with a "/" between them
 * @property {string} model its folder
 * @property {string} modelHash or its first digits, where they are known
 */

const KEY = "decoding-playground";
/** What this tab keeps for its own reload, whatever another tab keeps meanwhile. */
const TAB = `${KEY}-tab`;
/** Addresses that a reload may come back to. */
const PAST = 8;
export const START_PROMPT = "The cat ran after a";

/** @returns {State} */
export const startState = () => ({
  view: "explore",
  prompt: START_PROMPT,
  bos: false,
  settings: null,
  branches: [],
  branch: 0,
  panes: [],
  paneTokens: 30,
  paneSeeds: false,
  beams: { num_beams: 3, steps: 6, length_penalty: 1 },
  draws: { count: 100, texts: 50, length: 6, again: 0 },
  die: null,
  lesson: "",
  model: "",
  modelHash: "",
});

/**
 * The store: state, patched and kept. Keeping is put off a little, so that a
 * drag does not write a hundred times, and done at once when the page goes.
 */
export function createStore() {
  const linked = readHash(location.hash);
  /** @type {State} */
  const kept = { ...startState(), ...load() };
  // Here again: what is kept holds more than the address, such as the other branches.
  const own = addressOf(kept);
  const again = location.hash !== "" && (own === location.hash || cameBack(own));
  let state = again ? kept : { ...kept, view: "explore", ...linked.state };
  let timer = 0;
  history.replaceState(KEY, "", again ? own : undefined);
  let seen = location.hash;
  /** The last addresses, since a link was followed: a reload may come back to one that
   * was changed while it began. */
  let past = [seen];

  const keep = () => {
    clearTimeout(timer);
    timer = 0;
    if (location.hash !== seen) return; // a link was followed, and is read first
    const fragment = address(state);
    if (seen !== fragment) {
      history.replaceState(KEY, "", fragment);
      past = [...past, fragment].slice(-PAST);
    }
    seen = location.hash;
    try {
      const text = JSON.stringify(state);
      sessionStorage.setItem(KEY, JSON.stringify(past));
      sessionStorage.setItem(TAB, text);
      localStorage.setItem(KEY, text);
    } catch {
      // Without storage the address alone keeps prompt and settings.
    }
  };
  addEventListener("pagehide", keep);

  return {
    get: () => state,
    /** Keeps what is put off, now. */
    keep,
    /** What the address named and could not be used when the page was opened. */
    refused: again ? [] : linked.refused,
    /** @param {Partial<State>} patch */
    set(patch) {
      state = { ...state, ...patch };
      if (!timer) timer = window.setTimeout(keep, 300);
    },
    /** Takes what the address says now, after a link was followed. */
    readAddress() {
      seen = location.hash;
      past = [seen];
      history.replaceState(KEY, "");
      const linked = readHash(seen);
      this.set(linked.state);
      return linked;
    },
  };
}

/** Whether the page comes back to an address as it was before the last change was
 * kept: one that goes can't change it any more. An address that the page has read
 * is marked in the history; that of a link which was just followed is not.
 * @param {string} own the address of what is kept */
function cameBack(own) {
  if (history.state !== KEY) return false;
  try {
    const past = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return past.includes(location.hash) && past.at(-1) === own;
  } catch {
    return false;
  }
}

/** The address of a state: lessons have links of their own.
 * @param {State} state */
function address(state) {
  const [lesson, step] = state.lesson.split("/");
  return state.view === "lessons" ? link(lesson, step) : writeFragment(state);
}

/** The address of what is kept; an older visit may have kept something else.
 * @param {State} kept */
function addressOf(kept) {
  try {
    return address(kept);
  } catch {
    return "";
  }
}

/** What a fragment says of the state, also a link into the lessons.
 * @param {string} hash @returns {import("./readfragment.js").Read} */
export function readHash(hash) {
  const place = readLink(hash);
  if (!place) {
    const [, odd] = /^#?lesson=(.*)/s.exec(hash) ?? [];
    if (odd === undefined) return readFragment(hash);
    return { state: { view: "lessons", lesson: "" }, refused: [brief(`lesson ${odd}`)] };
  }
  const lesson = [place.lesson, place.step].filter(Boolean).join("/");
  return { state: { view: "lessons", lesson }, refused: [] };
}

/** What this tab kept, or in a new one what any tab kept last. @returns {Partial<State>} */
function load() {
  try {
    return readKept(sessionStorage.getItem(TAB) ?? localStorage.getItem(KEY));
  } catch {
    return {}; // no storage in this window
  }
}

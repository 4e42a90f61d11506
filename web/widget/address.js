/**
 * What the address of a widget says: the fragment of a link of the page, and
 *
 * view   the part to show: distribution, compare, beams, draws, lesson, step
 * start  click: nothing is loaded before the reader asks for it
 * slider the setting whose slider is shown first
 * toy    a table model of the lessons in place of a distribution's model
 * kept   a step of GPT-2 that is kept with the lessons in place of a distribution's model
 * lesson, theme (light, dark), lang
 * host   the origin of a page that may use the host API; may stand several times
 */

import { speaks } from "../language.js";
import { brief, readFragment } from "../readfragment.js";
import { PARTS, viewOfPart } from "../share/snippets.js";

/**
 * @typedef {import("../share/snippets.js").Part} Part
 *
 * @typedef {object} Address
 * @property {Part} part
 * @property {boolean} lazy
 * @property {string} slider
 * @property {string} toy
 * @property {string} kept
 * @property {string} lesson
 * @property {string} theme
 * @property {string[]} hosts
 * @property {Partial<import("../state.js").State>} state
 * @property {string[]} refused
 */

const NAME = /^[a-z][a-z0-9_-]{0,39}$/;
const HOSTS = 8;

/** @param {string} hash @returns {Address} */
export function readWidgetAddress(hash) {
  const query = hash.replace(/^#/, "");
  const q = new URLSearchParams(query);
  /** @type {string[]} */
  const wrong = [];
  /** @param {string} key @param {(v: string) => boolean} good */
  const get = (key, good) => {
    const v = q.get(key) ?? "";
    if (v === "" || good(v)) return v;
    wrong.push(brief(`${key} ${v}`));
    return "";
  };
  const named = get("view", (v) => [...Object.values(PARTS), "step"].includes(v));
  const lesson = get(
    "lesson",
    (v) => v.split("/").length <= 2 && v.split("/").every((x) => NAME.test(x)),
  );
  const part = /** @type {Part} */ (named || (lesson ? "lesson" : "distribution"));
  get("lang", speaks);
  // Of these two the other parts have no words to show.
  const alone = part === "distribution";
  const toy = get("toy", (v) => alone && NAME.test(v));
  const kept = get("kept", (v) => alone && !toy && NAME.test(v));
  if (part === "step" && !lesson) wrong.push("view step");
  const hosts = q.getAll("host");
  const strange = hosts.filter((v) => !isOrigin(v)).map((v) => brief(`host ${v}`));
  const { state, refused } = readFragment(`#${viewOfPart(part)}?${query}`);
  return {
    part,
    lazy: get("start", (v) => v === "click" || v === "now") === "click",
    slider: get("slider", (v) => NAME.test(v)),
    toy,
    kept,
    lesson,
    theme: get("theme", (v) => v === "light" || v === "dark" || v === "auto") || "auto",
    hosts: hosts.filter(isOrigin).slice(0, HOSTS),
    state,
    refused: [...wrong, ...strange, ...refused],
  };
}

/** @param {string} text */
export function isOrigin(text) {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** The lessons and what goes with them, as files beside the page's code, fetched when asked for. */

import { has, t } from "../texts.js";

/**
 * @typedef {import("./check.js").Predicate} Predicate
 * @typedef {import("./check.js").Variable} Variable
 * @typedef {import("./toy.js").Toys} Toys
 *
 * @typedef {"distribution" | "cumulative" | "stages" | "table" | "text" | "surprise" | "compare" | "beams" | "draws"} ViewName
 *
 * @typedef {object} Pane
 * @property {string} label
 * @property {Record<string, any>} settings
 * @property {string} [model]
 * @property {string} [prompt]
 * @property {string[]} [taken]
 * @property {number} [seed]
 *
 * @typedef {object} Scene what a step and a task have in common
 * @property {string} id
 * @property {string} text
 * @property {string} model
 * @property {string} [prompt]
 * @property {string[]} [taken]
 * @property {number} [seed]
 * @property {{show?: "probs" | "logits" | "both", edit_logits?: boolean}} [display]
 * @property {ViewName} [view]
 * @property {string[]} [overlay]
 * @property {Pane[]} [panes]
 *
 * @typedef {{right: string, wrong: string}} Feedback
 * @typedef {{type: "choice", question: string, choices: string[], answer: number, feedback: Feedback}} Choice
 * @typedef {{type: "number", question: string, answer?: number, answer_from?: Variable, tolerance: number, unit?: string, feedback: Feedback}} NumberQuestion
 * @typedef {Choice | NumberQuestion} Prediction
 *
 * @typedef {Scene & {kind: "recall" | "predict" | "show" | "try" | "explain", settings: Record<string, any>, prediction?: Prediction}} Step
 * @typedef {Scene & {start: Record<string, any>, check: Predicate, solution?: Solution, hints: string[], success: string}} Task
 * @typedef {{settings?: Record<string, any>, logits?: Record<string, number>, pane?: number, run?: boolean}} Solution
 *
 * @typedef {object} Lesson
 * @property {string} id
 * @property {string} lang
 * @property {number} number
 * @property {string} title
 * @property {number} minutes
 * @property {string[]} needs
 * @property {string} goal
 * @property {{claim: string, answer: string}} misconception
 * @property {Step[]} steps
 * @property {Task[]} tasks
 * @property {string} teacher_note
 * @property {{title: string, authors: string, year: number, venue: string, url?: string}[]} references
 *
 * @typedef {{prompt: string, bytes: Uint8Array}} StoredStep bytes: float32, little-endian
 * @typedef {{terms: {term: string, text: string}[], note: string}} Glossary
 * @typedef {{beliefs: {belief: string, truth: string, example: string, lessons: string[], seen: string}[]}} Misconceptions
 * @typedef {{task: string, strategy: string, settings: Record<string, any>, why: string, lesson: string}} GuideRow
 * @typedef {{lead: string, rows: GuideRow[], note: string}} Guide
 */

const ROOT = new URL("../lessons/", import.meta.url);

/** @param {string} [language] */
export function createCatalog(language = "en") {
  /** @type {Map<string, Promise<any>>} */
  const files = new Map();

  /** A file, once. One that could not be had is asked for again the next time. @param {string} name */
  function get(name) {
    const known = files.get(name);
    if (known) return known;
    const asked = fetchJSON(name);
    files.set(name, asked);
    asked.catch(() => files.delete(name));
    return asked;
  }

  return {
    /** @returns {Promise<Toys>} */
    toys: () => get("toys.json"),
    /** @returns {Promise<import("./schema.js").Schema>} */
    schema: () => get("lesson.schema.json"),
    /** The logits of a step of GPT-2 that is kept here. @param {string} name @returns {Promise<StoredStep>} */
    async step(name) {
      const steps = await get("steps/index.json");
      if (!Object.hasOwn(steps, name)) throw new Error(`step: no step is called ${name}`);
      const { prompt } = steps[name];
      return { prompt, bytes: await fetchBytes(`steps/${name}.f32.gz`) };
    },
    /** All lessons, in their order. @returns {Promise<Lesson[]>} */
    async lessons() {
      const { lessons } = await get("index.json");
      return Promise.all(
        lessons.map(async (/** @type {string} */ id) =>
          titled(await get(`${language}/${id}.json`)),
        ),
      );
    },
    /** @returns {Promise<Glossary>} */
    glossary: () => get(`${language}/glossary.json`),
    /** @returns {Promise<Misconceptions>} */
    misconceptions: () => get(`${language}/misconceptions.json`),
    /** @returns {Promise<Guide>} */
    guide: () => get(`${language}/guide.json`),
  };
}

/** A lesson under its title in the page's language, where there is one.
 * @param {Lesson} lesson @returns {Lesson} */
function titled(lesson) {
  const key = `lesson.title.${lesson.id}`;
  return has(key) ? { ...lesson, title: t(key) } : lesson;
}

/** @param {string} name */
async function fetchFile(name) {
  const answer = await fetch(new URL(name, ROOT)).catch(() => {
    throw new Error(t("lesson.unreachable", { name }));
  });
  if (!answer.ok) throw new Error(`${name}: the host answered ${answer.status}`);
  return answer;
}

/** @param {string} name */
const fetchJSON = async (name) => (await fetchFile(name)).json();

/** A gzipped file's bytes; some hosts have the browser unpack it. @param {string} name */
async function fetchBytes(name) {
  const bytes = new Uint8Array(await (await fetchFile(name)).arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

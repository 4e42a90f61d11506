/** What lessons' words say in numbers, played on the built engine: each claim is a test. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { isTask, setupsOf } from "../../web/lesson/scene.js";
import { readVariable } from "../../web/lesson/vars.js";
import { startLessons } from "./lessons.js";

/**
 * @typedef {import("../../web/lesson/catalog.js").Step} Step
 * @typedef {import("../../web/lesson/catalog.js").Task} Task
 *
 * @typedef {(name: string, token?: string) => any} Read a variable of what was played
 * @typedef {(read: Read) => number | boolean} Value
 *
 * @typedef {object} Play how a part is played, beyond what it sets up itself
 * @property {string} [model]
 * @property {Record<string, any>} [settings] over the part's own
 * @property {string[]} [taken] instead of the part's own
 * @property {Record<string, number>} [logits]
 * @property {string} [text] taken word by word
 * @property {boolean} [run] to its end
 * @property {boolean} [solved] with its solution's settings and logits
 * @property {number} [pane]
 */

const { lessons, parts, openBench, run, look, toys } = await startLessons();

/** @param {Step | Task} part */
function wordsOfPart(part) {
  if (isTask(part)) return [part.text, ...part.hints, part.success].join(" ");
  const { question = "", feedback, ...asked } = part.prediction ?? {};
  const choices = "choices" in asked ? asked.choices : [];
  return [part.text, question, ...choices, feedback?.right, feedback?.wrong].join(" ");
}

/** All words of a part, or a lesson's note for its teacher. @param {string} name */
function wordsOf(name) {
  const found = parts.find((p) => p.name === name);
  if (found) return wordsOfPart(found.part);
  return lessons.find((l) => `${l.id}/teacher` === name)?.teacher_note ?? "";
}

/** Plays a part; a note for a teacher is played on the lesson's first.
 * @param {string} name @param {Play} play @returns {Promise<Read>} */
async function playing(name, play) {
  const [id] = name.split("/");
  const found = parts.find((p) => p.name === name) ?? parts.find((p) => p.lesson.id === id);
  assert.ok(found, name);
  const setup = setupsOf(found.part)[play.pane ?? 0];
  const solution = (play.solved && isTask(found.part) && found.part.solution) || {};
  const bench = await openBench({
    ...setup,
    model: play.model ?? setup.model,
    taken: play.taken ?? setup.taken,
    settings: { ...setup.settings, ...solution.settings, ...play.settings },
  });
  /** @type {Record<string, number>} */
  const logits = { ...solution.logits, ...play.logits };
  if (Object.keys(logits).length)
    await bench.setLogits(bench.vocab.map((word, i) => logits[word] ?? bench.logits[i]));
  for (const word of play.text?.split(" ") ?? []) await bench.take(bench.vocab.indexOf(word));
  if (play.run) await run([bench]);
  const facts = await look([bench]);
  await bench.close();
  return (variable, token) => readVariable(facts, { var: variable, token });
}

/** The last number that a phrase says, and to how many places. @param {string} said */
function numberIn(said) {
  const text = said.replaceAll(",", "").match(/-?\d+(\.\d+)?(?!.*\d)/)?.[0] ?? "";
  return { value: Number(text), places: text.split(".")[1]?.length ?? 0 };
}

/**
 * Claims of a part what its words say: a phrase whose last number is the value
 * that is read, or one that is true where the value is.
 *
 * @param {string} name lesson/part, or lesson/teacher
 * @param {Play} play
 * @param {Record<string, Value>} claims
 */
export function claim(name, play, claims) {
  for (const [said, value] of Object.entries(claims))
    test(`${name} says: ${said}`, async () => {
      assert.ok(wordsOf(name).includes(said), `not in its words: ${wordsOf(name)}`);
      const found = value(await playing(name, play));
      if (found === true) return;
      assert.notEqual(found, false, `played with ${JSON.stringify(play)}`);
      const { value: want, places } = numberIn(said);
      assert.equal(Number(Number(found).toFixed(places)), want, `played: ${found}`);
    });
}

// Values ------------------------------------------------------------------------------------------

/** @param {string} name @returns {Value} */
export const get = (name) => (r) => r(name);
/** @param {string} word @returns {Value} */
export const logit = (word) => (r) => r("logit", word);
/** @param {string} word @returns {Value} */
export const bits = (word) => (r) => r("surprise_bits", word);
/** The final probability of a word, or of several together. @param {string[]} words @returns {Value} */
export const prob =
  (...words) =>
  (r) =>
    words.reduce((sum, w) => sum + r("prob", w), 0);
/** The gap of two words' scores. @param {string} a @param {string} b @returns {Value} */
export const gap = (a, b) => (r) => r("score", a) - r("score", b);
/** How many times as probable one word is as another. @param {string} a @param {string} b @returns {Value} */
export const ratio = (a, b) => (r) => r("prob", a) / r("prob", b);
/** The probability of the new text as a whole. @type {(r: Read) => number} */
export const whole = (r) => Math.exp(r("sum_logprob"));
/** Whether the text begins so, or is that where it has ended. @param {string} text @returns {Value} */
export const writes = (text) => (r) =>
  r("stop_reason") === "eos" ? r("text") === text : r("text").startsWith(text);
/** Whether these words stay, and no others. @param {string[]} words @returns {Value} */
export const kept =
  (...words) =>
  (r) =>
    toys.vocab.every((/** @type {string} */ w) => r("kept", w) === words.includes(w));
/** The sum of e to each logit. @type {Value} */
export const powers = (r) =>
  toys.vocab.reduce(
    (/** @type {number} */ sum, /** @type {string} */ w) => sum + Math.exp(r("logit", w)),
    0,
  );
/** The cosine of the states after two words. @param {string} a @param {string} b @returns {number} */
export function similarity(a, b) {
  const [x, y] = [a, b].map((w) => toys.hidden[toys.vocab.indexOf(w)]);
  return (x[0] * y[0] + x[1] * y[1]) / Math.hypot(...x) / Math.hypot(...y);
}

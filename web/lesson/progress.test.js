import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress } from "./progress.js";

/** A storage in memory. @param {string | null} text */
function memory(text = null) {
  return {
    text,
    getItem() {
      return this.text;
    },
    /** @param {string} _ @param {string} v */
    setItem(_, v) {
      this.text = v;
    },
  };
}

const lesson = /** @type {any} */ ({
  id: "a",
  steps: [{ id: "one" }, { id: "two" }],
  tasks: [{ id: "do" }],
});

test("what was done is there again, and counts once", () => {
  const storage = memory();
  const first = createProgress(storage);
  first.see("a", "one");
  first.see("a", "one");
  first.solve("a", "do");
  first.guess("a", "one", 2);
  first.guess("a", "one", 1);
  const again = createProgress(storage);
  assert.deepEqual(again.of("a"), { seen: ["one"], solved: ["do"], guesses: { one: 2 } });
  const { steps, tasks, done, part } = again.share(lesson);
  assert.deepEqual([steps, tasks, done, part], [1, 1, true, 2 / 3]);
  again.forget("a");
  assert.equal(createProgress(storage).share(lesson).started, false);
});

test("a storage that holds anything else, or fails, does no harm", () => {
  for (const text of [
    "",
    "{",
    "null",
    "5",
    '{"a":5}',
    '{"a":{"seen":"x","guesses":{"one":"y"}}}',
  ]) {
    const progress = createProgress(memory(text));
    assert.deepEqual(progress.of("a"), { seen: [], solved: [], guesses: {} }, text);
    progress.see("a", "one");
    assert.deepEqual(progress.of("a").seen, ["one"]);
  }
  const broken = createProgress({
    getItem() {
      throw new Error("forbidden");
    },
    setItem() {
      throw new Error("full");
    },
  });
  broken.see("a", "one");
  assert.deepEqual(broken.of("a").seen, ["one"]);
});

test("a step that is called like what every object has is guessed like any other", () => {
  const storage = memory();
  const progress = createProgress(storage);
  assert.equal(progress.guessOf("a", "constructor"), undefined);
  progress.guess("a", "constructor", 2);
  assert.equal(createProgress(storage).guessOf("a", "constructor"), 2);
});

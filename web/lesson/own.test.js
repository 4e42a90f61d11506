/** A teacher's own lessons, kept by another version of the page. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { createOwn } from "./own.js";
import { readOwn } from "./teacher.js";

const KEY = "decoding-playground-own-lessons";
const folder = new URL("../lessons/", import.meta.url);
const json = async (/** @type {string} */ f) =>
  JSON.parse(await readFile(new URL(f, folder), "utf8"));
const catalog = /** @type {any} */ ({
  schema: () => json("lesson.schema.json"),
  toys: () => json("toys.json"),
  lessons: async () => [{ id: "softmax" }],
});

/** @type {Map<string, string>} */
const storage = new Map();
Object.defineProperty(globalThis, "localStorage", {
  value: {
    getItem: (/** @type {string} */ key) => storage.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ v) => storage.set(key, v),
  },
});
const kept = () => JSON.parse(storage.get(KEY) ?? "[]");

const good = { ...(await json("en/softmax.json")), id: "mine" };
const tomorrow = { ...good, id: "tomorrow", sound: "on" };
const { goal: _, ...early } = { ...good, id: "early" };

/** Another visit, with these kept. @param {unknown[]} lessons */
async function visit(lessons) {
  storage.set(KEY, JSON.stringify(lessons));
  const own = createOwn(catalog);
  await own.load();
  return own;
}

test("a kept lesson that this version does not take is told by name, and the others are there", async () => {
  const own = await visit([tomorrow, good, early, { ...good, id: "softmax" }, 7]);
  assert.deepEqual(own.list, [good]);
  assert.deepEqual(
    own.unread.map(({ value }) => value.id),
    ["tomorrow", "early", "softmax", undefined],
  );
  const told = own.unread.map((one) => one.told.join());
  for (const [i, words] of [
    /^sound: it is not known here/,
    /^goal: it is missing/,
    /softmax/,
    /7/,
  ].entries())
    assert.match(told[i], words);
});

test("it stays kept whatever else is added or taken away, until it is mended or removed", async () => {
  const own = await visit([tomorrow, good, early]);
  own.add({ ...good, id: "another" });
  own.remove("mine");
  assert.deepEqual(kept(), [{ ...good, id: "another" }, tomorrow, early]);
  own.add({ ...good, id: "early" });
  own.forget(own.unread[0]);
  assert.deepEqual(
    kept().map((/** @type {any} */ l) => l.id),
    ["another", "early"],
  );
  assert.deepEqual(own.unread, []);
});

test("the lesson that docs/LESSONS.md shows is taken", async () => {
  const doc = await readFile(new URL("../../docs/LESSONS.md", import.meta.url), "utf8");
  const [, text] = doc.match(/```json\n([\s\S]*?)```/) ?? [];
  const [schema, { vocab }] = [await catalog.schema(), await catalog.toys()];
  const { lesson, told } = readOwn(text, { schema, vocab, lessons: ["temperature"] });
  assert.deepEqual(told, []);
  assert.equal(lesson?.id, "half");
});

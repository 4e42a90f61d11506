import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { readLesson } from "./teacher.js";

const folder = new URL("../lessons/", import.meta.url);
const json = async (/** @type {string} */ f) =>
  JSON.parse(await readFile(new URL(f, folder), "utf8"));
const schema = await json("lesson.schema.json");
const { vocab } = await json("toys.json");
const { lessons } = await json("index.json");
const good = await json("en/top-p.json");
const known = { schema, vocab, lessons };

/** The problems of a lesson after an edit, as "path: wrong, want".
 * @param {(lesson: any) => void} edit */
function after(edit) {
  const lesson = structuredClone(good);
  edit(lesson);
  const { lesson: read, problems } = readLesson(JSON.stringify(lesson), known);
  assert.equal(read === null, problems.length > 0);
  return problems.map((p) => `${p.path}: ${p.wrong}; ${p.want}`);
}

test("a good lesson is taken as it is", () => {
  const { lesson, problems } = readLesson(JSON.stringify(good), known);
  assert.deepEqual(problems, []);
  assert.deepEqual(lesson, good);
});

/** @type {[string, (lesson: any) => void, RegExp][]} */
const WRONG = [
  ["a missing title", (l) => delete l.title, /^title: it is missing; a text$/],
  ["an unknown key", (l) => (l.author = "x"), /^author: it is not known here; one of schema, id/],
  ["another version", (l) => (l.schema = 2), /^schema: 2; 1$/],
  ["a title of the wrong type", (l) => (l.title = 5), /^title: 5; a text$/],
  ["markup in a title", (l) => (l.title = "<b>x</b>"), /^title: "<b>x<\/b>"; no < and no >$/],
  ["an empty text", (l) => (l.steps[0].text = ""), /^steps\[0\]\.text: an empty text; some text$/],
  ["a long text", (l) => (l.steps[0].text = "x".repeat(701)), /701 characters; at most 700$/],
  ["a bad id", (l) => (l.id = "Top P"), /^id: "Top P"; small letters, digits and hyphens/],
  [
    "an unknown toy",
    (l) => (l.steps[0].model = "toy:x"),
    /^steps\[0\]\.model: "toy:x"; page, or toy:/,
  ],
  ["too few steps", (l) => (l.steps.length = 2), /^steps: a list of 2; at least 3 entries$/],
  ["T below 0", (l) => (l.steps[0].settings.temperature = -1), /temperature: -1; at least 0$/],
  ["half a token", (l) => (l.steps[0].settings.top_k = 1.5), /top_k: 1.5; a whole number$/],
  ["a die of 1", (l) => (l.steps[0].settings.die = 1), /die: 1; less than 1$/],
  [
    "an unknown setting",
    (l) => (l.steps[0].settings.topp = 0.9),
    /^steps\[0\]\.settings\.topp: it is not known here/,
  ],
  [
    "an unknown view",
    (l) => (l.steps[0].view = "pie"),
    /^steps\[0\]\.view: "pie"; one of "distribution"/,
  ],
  [
    "a prediction too few",
    (l) => delete l.steps[0].prediction,
    /^steps\[0\]\.prediction: it is missing/,
  ],
  [
    "a prediction in a show step",
    (l) => (l.steps[1].prediction = l.steps[0].prediction),
    /^steps\[1\]\.prediction: it has no meaning here; it to be left out$/,
  ],
  [
    "panes too few",
    (l) => (l.steps[0].view = "compare"),
    /^steps\[0\]\.panes: it is missing; a value$/,
  ],
  [
    "a choice without its list",
    (l) => delete l.steps[0].prediction.choices,
    /^steps\[0\]\.prediction\.choices: it is missing; a list/,
  ],
  [
    "a number question without an answer",
    (l) =>
      (l.steps[0].prediction = {
        type: "number",
        question: "How many?",
        tolerance: 1,
        feedback: { right: "a", wrong: "b" },
      }),
    /^steps\[0\]\.prediction: none of the two is there; one of answer, answer_from$/,
  ],
  [
    "a variable that does not exist",
    (l) => (l.tasks[0].check.all[0].var = "size"),
    /^tasks\[0\]\.check\.all\[0\]\.var: "size"; one of "strategy"/,
  ],
  [
    "an operator that does not exist",
    (l) => (l.tasks[0].check.all[0].op = "="),
    /^tasks\[0\]\.check\.all\[0\]\.op: "="; one of "=="/,
  ],
  [
    "a token variable without its token",
    (l) => (l.tasks[0].check.all[0] = { var: "prob", op: ">", value: 0 }),
    /^tasks\[0\]\.check\.all\[0\]\.token: it is missing/,
  ],
  [
    "a value and a reference",
    (l) => (l.tasks[0].check.all[0].ref = { var: "top_k" }),
    /^tasks\[0\]\.check\.all\[0\]/,
  ],
  [
    "an answer beyond the choices",
    (l) => (l.steps[0].prediction.answer = 3),
    /answer: there is no choice number 3; 0 to 2/,
  ],
  ["an id twice", (l) => (l.tasks[0].id = "rule"), /^tasks\[0\]\.id: “rule” stands there twice/],
  [
    "a word of no toy",
    (l) => (l.steps[0].taken = ["Berlin"]),
    /taken\[0\]: “Berlin” is no word of the toys/,
  ],
  [
    "no prompt for the page's model",
    (l) => delete l.steps[3].prompt,
    /^steps\[3\]\.prompt: it is missing/,
  ],
  ["a pane that is not there", (l) => (l.tasks[0].check.all[0].pane = 1), /nucleus_size of pane 1/],
  [
    "a link to nowhere",
    (l) => (l.steps[0].text = "See [this](lesson:nowhere)."),
    /^steps\[0\]\.text: a link to “nowhere”/,
  ],
];

for (const [name, edit, want] of WRONG)
  test(`refuses ${name} in plain words`, () => {
    const told = after(edit);
    assert.ok(
      told.some((line) => want.test(line)),
      told.join("\n"),
    );
    assert.ok(told.length <= 3, `one fault, told ${told.length} times:\n${told.join("\n")}`);
  });

test("one mistake in a check is told once", () => {
  const bare = { var: "nucleus_size", op: ">", value: 3 };
  /** @type {[(task: any) => void, string][]} */
  const cases = [
    [(task) => (task.check = bare), "tasks[0].check: an object; one of all, any, not"],
    [(task) => (task.check = {}), "tasks[0].check: an object; one of all, any, not"],
    [
      (task) => (task.check = { all: [{}] }),
      "tasks[0].check.all[0]: an object; one of var, all, any, not",
    ],
  ];
  for (const [edit, want] of cases)
    assert.deepEqual(
      after((l) => edit(l.tasks[0])),
      [want],
    );
});

test("refuses what is no lesson at all", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  for (const text of ["", "{", "null", "[]", "5", '"x"', "{}", deep, "x".repeat(1_000_001)]) {
    const { lesson, problems } = readLesson(text, known);
    assert.equal(lesson, null);
    assert.ok(problems.length > 0 && problems.length <= 20, text.slice(0, 9));
    for (const p of problems) assert.ok(p.wrong && p.want, JSON.stringify(p));
  }
});

test("hostile keys and sizes are told, not obeyed", () => {
  const text = JSON.stringify(good).replace(
    '"schema":1',
    '"schema":1,"__proto__":{"polluted":1},"constructor":2,"toString":3',
  );
  const { problems } = readLesson(text, known);
  assert.deepEqual(
    problems.map((p) => p.path),
    ["__proto__", "constructor", "toString"],
  );
  assert.equal(/** @type {any} */ ({}).polluted, undefined);
  const start = process.cpuUsage();
  const many = { ...good, needs: Array.from({ length: 50_000 }, () => "x!") };
  assert.equal(readLesson(JSON.stringify(many), known).problems.length, 20);
  assert.ok(process.cpuUsage(start).user < 15e6);
});

/**
 * Every task of every lesson, on the built engine: false at its start, true at
 * its solution. Wants `make wasm`.
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { readData, startLessons } from "../../tools/nodeengine/lessons.js";
import { pathTo } from "../tree.js";
import { wantsPage } from "./bench.js";
import { holds } from "./check.js";
import { fromFlat, toFlat } from "./flat.js";
import { isTask, settingsOf, setupsOf, viewOf } from "./scene.js";
import { check } from "./schema.js";
import { stepAll } from "./steps.js";
import { readLesson } from "./teacher.js";
import { parse } from "./text.js";
import { NAMES, readVariable } from "./vars.js";

/**
 * @typedef {import("./catalog.js").Task} Task
 * @typedef {import("./bench.js").Bench} Bench
 */

const schema = await readData("lesson.schema.json");
const { call, described, toys, ids, lessons, parts, openBench, open, run, look } =
  await startLessons();

/** Whether a task is met now. @param {Task} task @param {Bench[]} benches */
const met = async (task, benches) => {
  const facts = await look(benches);
  return holds(task.check, (v) => readVariable(facts, v));
};

/** Does what the solution says. @param {Task} task @param {Bench[]} benches */
async function solve(task, benches) {
  const { settings, logits, pane = 0, run: runs } = task.solution ?? {};
  const bench = benches[pane];
  if (task.panes) await run(benches);
  if (settings) {
    const { die, ...flat } = settings;
    const start = setupsOf(task)[pane].settings;
    const come = await bench.set(fromFlat(described, { ...start, ...flat }));
    if (come.all) await run([bench]);
    if (die !== undefined) await bench.setDie(die);
  }
  if (logits) {
    const row = [...bench.logits];
    for (const [word, v] of Object.entries(logits)) row[bench.vocab.indexOf(word)] = v;
    await bench.setLogits(row);
  }
  if (runs) await run(benches);
}

/** The rarest token among the thousand likeliest. @param {Bench} bench */
async function rarest(bench) {
  const { view } = await bench.look({ rows: 1000 });
  assert.ok(view);
  const last = /** @type {number} */ (view.bars.at(-1));
  return view.tokens[last].id;
}

/** Tasks that are solved by hand on the page: what a hand would do here.
 * @type {Record<string, (task: Task, benches: Bench[]) => Promise<Bench[]>>} */
const byHand = {
  "one-step/by-hand": async (_, [bench]) => {
    await bench.take(await rarest(bench));
    for (let i = 0; i < 5; i++) await stepAll(call, [bench]);
    return [bench];
  },
  "surprise/ten-bits": async (_, [bench]) => {
    await bench.take(await rarest(bench));
    return [bench];
  },
  "greedy/own-loop": async (task) => {
    const given = await open(task);
    await run(given);
    assert.ok(!(await met(task, given)), "Run alone would do");
    const benches = await open({ ...task, prompt: "I am glad. I am glad. I am glad." });
    await run(benches);
    return benches;
  },
  "sampling/thousand": async (_, [bench]) => {
    await bench.draw(1000);
    return [bench];
  },
};

for (const lesson of lessons) {
  for (const task of lesson.tasks) {
    const name = `${lesson.id}/${task.id}`;
    test(`task ${name}: false at its start, true at its solution`, async () => {
      let benches = await open(task);
      assert.equal(await met(task, benches), false, "true at its start");
      if (byHand[name]) benches = await byHand[name](task, benches);
      else {
        assert.ok(task.solution, "neither a solution nor a hand");
        await solve(task, benches);
      }
      assert.equal(await met(task, benches), true, "false at its solution");
      for (const b of benches) await b.close();
    });
  }
}

test("every step opens and has a picture", async () => {
  for (const { name, part } of parts) {
    for (const setup of setupsOf(part)) {
      const bench = await openBench(setup);
      const { view, status } = await bench.look();
      assert.ok(view, name);
      assert.equal(status.text.length, setup.taken?.length ?? 0, name);
      await bench.close();
    }
    assert.ok(viewOf(part), name);
  }
});

test("the stored steps of GPT-2 have the numbers that the lesson says", async () => {
  /** @type {[string, string, number, number, number][]} name, likeliest, bits, nucleus of 0.9 at T = 1 and 0.7 */
  const rows = [
    ["visualize", "visualize", 7.12, 295, 42],
    ["spaceship", "planet", 9.1, 2323, 76],
    ["planet", "strange", 9.8, 2160, 251],
  ];
  for (const [name, top, bits, wide, narrow] of rows) {
    const settings = { strategy: "sampling", top_p: 0.9 };
    const bench = await openBench({ model: `step:${name}`, settings });
    const get = async (/** @type {string} */ v) => readVariable([await bench.look()], { var: v });
    assert.equal(await get("top_token"), top);
    assert.equal(await get("vocab_size"), 50257);
    assert.equal(await get("nucleus_size"), wide);
    assert.equal(Number(Number(await get("model_entropy_bits")).toFixed(2)), bits);
    const flat = { strategy: "sampling", top_p: 0.9, temperature: 0.7 };
    await bench.set(fromFlat(described, flat));
    assert.equal(await get("nucleus_size"), narrow);
    await stepAll(call, [bench]);
    assert.equal(bench.status.stop, "context", "one token, and none after it");
    await bench.close();
  }
});

test("a step shows what its settings say", () => {
  for (const { name, part } of parts) {
    for (const setup of setupsOf(part)) {
      const flat = toFlat(described, fromFlat(described, setup.settings));
      for (const [key, v] of Object.entries(setup.settings)) {
        if (key === "order" || key === "die") continue;
        assert.deepEqual(flat[key], v, `${name}: ${key}`);
      }
    }
  }
});

test("the lessons fit their schema and each other", () => {
  lessons.forEach((lesson, i) => {
    assert.equal(lesson.number, i + 1, lesson.id);
    const known = { schema, vocab: toys.vocab, lessons: ids };
    assert.deepEqual(readLesson(JSON.stringify(lesson), known).problems, [], lesson.id);
    for (const id of lesson.needs) assert.ok(ids.indexOf(id) < i, `${lesson.id} needs ${id}`);
  });
});

test("every variable of the schema has a value somewhere, and no other is known", async () => {
  const names = schema.$defs.varname.enum;
  const extra = ["pane_count", "first_difference", "stage_position"];
  const flat = Object.keys(toFlat(described, fromFlat(described, {})));
  assert.deepEqual(
    names.filter((/** @type {string} */ n) => ![...NAMES, ...extra, ...flat].includes(n)),
    [],
  );
  assert.deepEqual(
    [...NAMES, ...extra].filter((n) => !names.includes(n)),
    [],
  );
  const setup = { model: "toy:fork", settings: { strategy: "sampling", top_p: 0.9 } };
  const search = { model: "toy:fork", settings: { strategy: "beam", num_beams: 2 } };
  const benches = [await openBench(setup), await openBench(search)];
  await stepAll(call, benches);
  const facts = [await benches[0].look(), await benches[1].look()];
  for (const name of names) {
    const beams = ["best_", "live_", "finished_", "pruned_"].some((p) => name.startsWith(p));
    const variable = { var: name, token: "Rome", stage: "top_p", pane: beams ? 1 : 0, n: 1 };
    assert.notEqual(readVariable(facts, variable), undefined, name);
  }
});

test("the guide's settings are ones the engine takes, and its lessons exist", async () => {
  const guide = await readData("en/guide.json");
  for (const row of guide.rows) {
    assert.ok(ids.includes(row.lesson), row.lesson);
    const bench = await openBench({ model: "toy:loop", settings: row.settings });
    await bench.close();
  }
});

test("glossary and misconceptions are whole", async () => {
  const { terms } = await readData("en/glossary.json");
  assert.equal(new Set(terms.map((/** @type {any} */ t) => t.term)).size, terms.length);
  const { beliefs } = await readData("en/misconceptions.json");
  for (const b of beliefs) {
    for (const id of b.lessons) assert.ok(ids.includes(id), id);
    for (const text of [b.belief, b.truth, b.example]) assert.ok(parse(text).length > 0);
  }
});

test("nothing but data lies in the lessons' folders", async () => {
  const files = await readdir(new URL("../lessons/en/", import.meta.url));
  assert.deepEqual(
    files.sort(),
    [...ids, "glossary", "guide", "misconceptions"].map((f) => `${f}.json`).sort(),
  );
  const steps = Object.keys(await readData("steps/index.json"));
  const named = await readdir(new URL("../lessons/steps/", import.meta.url));
  assert.deepEqual(named.sort(), [...steps.map((s) => `${s}.f32.gz`), "index.json"].sort());
  for (const name of steps)
    assert.match(`step:${name}`, new RegExp(schema.$defs.model.pattern), name);
  assert.deepEqual(check(schema, lessons[0]), []);
  assert.ok(parts.some(({ part }) => isTask(part) && wantsPage(part) && settingsOf(part)));
});

/**
 * What steps on a search say of it: the best text, and what it is ranked by.
 *
 * @type {[part: string, settings: Record<string, any>, text: string, rank: number][]}
 */
const FOUND = [
  ["beam/beams", {}, "a Rome .", Math.log(0.306)],
  ["beam/pruned", {}, "a the Paris .", Math.log(0.045) / 4],
  ["length/curse", {}, ".", -2.12],
  ["length/curse", { num_beams: 2 }, "the Rome a Paris .", -2.55],
  ["length/penalty", {}, "the Rome a Paris .", -0.51],
  ["length/penalty", { length_penalty: 0 }, ".", -2.12],
  ["length/too-much", {}, "the Rome a Paris the Rome a Paris", -0.085],
  ["length/early", {}, "the a Paris .", -0.86],
  ["length/early", { early_stopping: false }, "the Rome a Paris .", -0.51],
  ["length/early", { early_stopping: "never" }, "the Rome a Paris .", -0.51],
];

for (const [name, settings, text, rank] of FOUND)
  test(`${name} with ${JSON.stringify(settings)} finds ${text}`, async () => {
    const part = parts.find((p) => p.name === name)?.part;
    assert.ok(part);
    const [setup] = setupsOf(part);
    const bench = await openBench({ ...setup, settings: { ...setup.settings, ...settings } });
    await run([bench]);
    const { tree } = await bench.look({ rows: 5 });
    assert.ok(tree);
    const path = pathTo(tree.nodes, tree.best).map((i) => tree.nodes[i]);
    assert.equal(path.map((n) => n.text.trim()).join(" "), text);
    assert.ok(Math.abs(path[path.length - 1].final - rank) < 0.006, `${path.at(-1)?.final}`);
  });

test("an answer that is a text of tokens is marked as one, since a sentence goes on after it", () => {
  for (const { id, steps } of lessons)
    for (const { prediction } of steps)
      if (prediction?.type === "choice")
        for (const choice of prediction.choices) assert.doesNotMatch(choice, /\.$/, id);
});

/**
 * Links: every setting that the engine has comes back from one, and the plans
 * for a class lead to what there is. Wants `make wasm`.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { startEngine } from "../tools/nodeengine/nodeengine.js";
import { writeFragment } from "./fragment.js";
import { readLink } from "./lesson/link.js";
import { END } from "./lesson/stations.js";
import { presets } from "./panes.js";
import { readFragment } from "./readfragment.js";
import { accepts, checked, PLAIN, stageNamed, startSettings } from "./settings.js";
import { startState } from "./state.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./api.d.ts").Param} Param
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./state.js").State} State
 */

const root = new URL("../", import.meta.url);
const ask = await startEngine();
/** @type {Described} */
const described = ask("describe", {});

/** @param {Settings} settings @returns {State} */
const stateOf = (settings) => ({ ...startState(), settings });

/** The settings of a link, as a page takes them. @param {string} link @returns {Settings} */
function settingsOf(link) {
  const { state, refused } = readFragment(link);
  assert.deepEqual(refused, []);
  assert.ok(state.settings, link);
  const { settings, problems } = checked(described, state.settings);
  assert.deepEqual(problems, []);
  return settings;
}

/** Values of a parameter that a person can choose, other than its own. @param {Param} p */
const valuesOf = (p) =>
  [p.low, p.high, p.min, p.max, p.low + p.step, (p.low + p.high) / 2, p.off, 1 / 3, 1e-7].filter(
    (v, i, all) => v !== p.default && accepts(p, v) && all.indexOf(v) === i,
  );

/** @param {Kind} kind */
const lists = (kind) =>
  Object.fromEntries(
    kind.params.filter((p) => p.type === "sequences").map((p) => [p.name, "1 2\n a=b;c,d! = 2.5"]),
  );

for (const kind of described.processors)
  test(`stage ${kind.name}: every parameter comes back from a link`, () => {
    const numbers = kind.params.filter((p) => p.type !== "sequences");
    const sets = numbers.flatMap((p) => valuesOf(p).map((v) => ({ [p.name]: v })));
    for (const given of [{}, ...sets])
      for (const on of [true, false]) {
        const start = startSettings(described);
        const own = checked(described, {
          ...start,
          stages: [{ kind: kind.name, on, args: given, lists: lists(kind) }],
        }).settings.stages[0];
        const others = start.stages.filter((s) => s.kind !== kind.name);
        // Before all others, so that its place is told, too.
        const settings = { ...start, stages: [own, ...others] };
        const got = settingsOf(writeFragment(stateOf(settings)));
        assert.deepEqual(
          got.stages.find((s) => s.kind === kind.name),
          own,
        );
        const acting = (/** @type {Settings} */ s) =>
          s.stages.filter((x) => x.on).map((x) => x.kind);
        assert.deepEqual(acting(got), acting(settings));
      }
  });

for (const kind of described.strategies)
  test(`strategy ${kind.name}: every parameter comes back from a link`, () => {
    const numbers = kind.params.filter((p) => p.type !== "sequences");
    for (const p of numbers)
      for (const v of valuesOf(p)) {
        const settings = {
          ...startSettings(described),
          strategy: kind.name,
          strategyArgs: { [kind.name]: { [p.name]: v } },
          strategyLists: Object.keys(lists(kind)).length ? { [kind.name]: lists(kind) } : {},
        };
        const got = settingsOf(writeFragment(stateOf(settings)));
        assert.equal(got.strategy, kind.name);
        assert.equal(got.strategyArgs[kind.name][p.name], v, `${p.name} ${v}`);
        assert.deepEqual(got.strategyLists, settings.strategyLists);
      }
  });

test("every other setting comes back from a link", () => {
  /** @type {Record<Exclude<keyof Settings, "strategy" | "strategyArgs" | "strategyLists" | "stages">, unknown[]>} */
  const values = {
    seed: [0, 1, 2 ** 53 - 1],
    max_new_tokens: [1, 7, 100_000],
    max_length: [1, 60, 100_000],
    max_time: [0.5, 3600],
    ends: [false],
    endTokens: [[" the", ".", "&=#"]],
    stop: [["\n", "&stop=x", "👋"]],
    assistant_early_exit: [1, 96],
  };
  const known = Object.keys(startSettings(described)).filter(
    (name) => name !== "stages" && !name.startsWith("strategy"),
  );
  assert.deepEqual(known.sort(), Object.keys(values).sort());
  for (const name of Object.keys(PLAIN)) assert.ok(name in startSettings(described), name);
  for (const [name, list] of Object.entries(values))
    for (const v of list) {
      const settings = { ...startSettings(described), [name]: v };
      const got = settingsOf(writeFragment(stateOf(settings)));
      assert.deepEqual(/** @type {any} */ (got)[name], v, name);
    }
});

test("what a link leaves out of the settings is as at the start", () => {
  const start = startSettings(described);
  const acting = (/** @type {Settings} */ s) => s.stages.filter((x) => x.on);
  const only = settingsOf("#explore?v=1&prompt=x&seed=77");
  assert.deepEqual(
    { ...only, stages: acting(only) },
    { ...start, stages: acting(start), seed: 77 },
  );
  const stages = settingsOf("#explore?v=1&prompt=x&stages=top_p:0.5&seed=77");
  assert.equal(stages.strategy, "sampling");
  assert.deepEqual(
    acting(stages).map((s) => s.args),
    [{ top_p: 0.5, min_tokens_to_keep: 1 }],
  );
  const greedy = settingsOf("#explore?v=1&prompt=x&strategy=greedy");
  assert.deepEqual(acting(greedy), acting(start));
  assert.equal(
    readFragment("#compare?v=1&prompt=x&pane=a!greedy!&list=1/x.y=z").state.settings,
    undefined,
  );
});

test("a stage none of whose numbers is good does not act, and one with a good one does", () => {
  const { settings } = readFragment(
    "#explore?stages=top_p:7;top_k:1e400;no_repeat_ngram_size:1.5;xtc:xtc_probability=0.5,xtc_threshold=9;mirostat:1;eta_cutoff:5",
  ).state;
  assert.ok(settings);
  const { settings: good, problems } = checked(described, settings);
  assert.deepEqual(
    good.stages.filter((s) => s.on).map((s) => [s.kind, s.args.xtc_probability]),
    [["xtc", 0.5]],
  );
  assert.equal(stageNamed(good.stages, "top_p")?.args.top_p, 0.9);
  assert.equal(stageNamed(good.stages, "top_k")?.args.top_k, 40);
  assert.deepEqual(problems, [
    "top_p 7",
    "no_repeat_ngram_size 1.5",
    "xtc_threshold 9",
    "stage mirostat",
    "eta_cutoff 5",
  ]);
});

// The plans for a class ----------------------------------------------------------------------------

const plan = await readFile(new URL("docs/PLAN40.md", root), "utf8");
const urls = [...plan.matchAll(/\]\(([^)\s]+)\)/g)].map(([, url]) => new URL(url));
const links = urls.map((url) => url.hash);

/** @param {string} id */
const lesson = async (id) =>
  JSON.parse(await readFile(new URL(`web/lessons/en/${id}.json`, root), "utf8"));

test("every link of the class plans names what there is", async () => {
  const { lessons } = JSON.parse(await readFile(new URL("web/lessons/index.json", root), "utf8"));
  assert.ok(links.length > 30, `${links.length} links`);
  for (const link of links) {
    const place = readLink(link);
    if (place) {
      assert.ok(lessons.includes(place.lesson), link);
      const { steps, tasks } = await lesson(place.lesson);
      const parts = [...steps, ...tasks].map((p) => p.id);
      assert.ok(["", END, ...parts].includes(place.step), link);
      continue;
    }
    settingsOf(link);
    const { state } = readFragment(link);
    assert.ok(["explore", "compare"].includes(state.view ?? ""), link);
    for (const pane of state.panes ?? []) {
      assert.ok(
        presets(described).some((p) => p.name === pane.preset),
        pane.preset,
      );
      assert.deepEqual(checked(described, pane.settings).problems, [], link);
    }
    assert.equal(state.panes?.length ?? 0, link.split("pane=").length - 1);
  }
});

test("the links of the class plans go where make run serves the page, and so does the way elsewhere", async () => {
  const makefile = await readFile(new URL("Makefile", root), "utf8");
  const [, served] = /^ADDR +\?= (.+)$/m.exec(makefile) ?? [];
  for (const { protocol, host, pathname } of urls)
    assert.equal(`${protocol}//${host}${pathname}`, `http://${served}/`);
  const [, from, to] = /^ +sed 's\|(.+?)\|(.+?)\|g' docs\/PLAN40\.md/m.exec(plan) ?? [];
  const moved = plan.replaceAll(from, to).match(/\]\([^)\s]+\)/g) ?? [];
  assert.equal(moved.length, urls.length);
  for (const link of moved) assert.ok(link.startsWith(`](${to}#`), link);
});

test("every row of the class plans has a link, but the one on paper", () => {
  const rows = plan.split("\n").filter((line) => /^\| \d/.test(line));
  assert.equal(rows.length, 24);
  assert.deepEqual(
    rows.filter((row) => !row.includes("](http")).map((row) => row.slice(0, 9)),
    ["| 38-40 |"],
  );
});

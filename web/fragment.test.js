import assert from "node:assert/strict";
import test from "node:test";
import { SHOWN_OFF, writeFragment } from "./fragment.js";
import { readFragment } from "./readfragment.js";
import { PLAIN } from "./settings.js";
import { readHash, startState } from "./state.js";

/** @typedef {import("./state.js").State} State */

/** @param {string} kind @param {number} v @param {boolean} [on] */
const stage = (kind, v, on = true) => ({ kind, on, args: { [kind]: v }, lists: {} });

/** @returns {State} */
const state = () => ({
  ...startState(),
  settings: {
    ...PLAIN,
    strategy: "sampling",
    strategyArgs: {},
    stages: [
      stage("repetition_penalty", 1.2, false),
      stage("no_repeat_ngram_size", 3, false),
      stage("temperature", 0.8),
      stage("top_k", 40),
      stage("top_p", 0.9),
      stage("min_p", 0.05, false),
    ],
    seed: 21,
    max_new_tokens: 100,
    ends: true,
    stop: [],
  },
  model: "storybook-4m",
  modelHash: "1a2b3c4d",
});

/** @param {string} fragment */
function read(fragment) {
  const { state: got, refused } = readFragment(fragment);
  assert.deepEqual(refused, []);
  return got;
}

/** Links that are out in the world, and what they will always mean. @type {Record<string, Partial<State>>} */
const PUBLISHED = {
  "#explore?v=1&prompt=The+cat+ran+after+a&model=storybook-4m:1a2b3c4d&strategy=sampling&stages=temperature:0.8;top_k:40;top_p:0.9&seed=21":
    {
      view: "explore",
      prompt: "The cat ran after a",
      bos: false,
      settings: state().settings,
      branches: [],
      die: null,
      model: "storybook-4m",
      modelHash: "1a2b3c4d",
    },
  // From before links had a version.
  "#explore?prompt=Hi&strategy=greedy&stages=temperature:0;-top_p:0.5&max_new_tokens=7&eos=0&seed=0":
    {
      view: "explore",
      prompt: "Hi",
      settings: {
        ...PLAIN,
        strategy: "greedy",
        strategyArgs: {},
        stages: [
          stage("repetition_penalty", 1.2, false),
          stage("no_repeat_ngram_size", 3, false),
          stage("temperature", 0),
          stage("top_k", 40, false),
          stage("top_p", 0.5, false),
          stage("min_p", 0.05, false),
        ],
        seed: 0,
        max_new_tokens: 7,
        ends: false,
        stop: [],
      },
    },
  "#beams?v=1&prompt=A&beams=4,12,0": {
    view: "beams",
    prompt: "A",
    beams: { num_beams: 4, steps: 12, length_penalty: 0 },
  },
  "#draws?v=1&prompt=A&draws=1000,10,3,2&die=0&text=464.!318": {
    view: "draws",
    draws: { count: 1000, texts: 10, length: 3, again: 2 },
    die: 0,
    branches: [
      {
        name: "A",
        tokens: [
          [464, false],
          [318, true],
        ],
      },
    ],
  },
};

for (const [link, want] of Object.entries(PUBLISHED))
  test(`${link.slice(0, 60)}… means what it meant`, () => {
    const got = /** @type {any} */ (read(link));
    for (const [name, v] of Object.entries(want))
      if (name in got) assert.deepEqual(got[name], v, name);
      else assert.fail(`no ${name}`);
  });

test("what is written is read again, in its order", () => {
  const s = state();
  const settings = /** @type {NonNullable<State["settings"]>} */ (s.settings);
  s.view = "compare";
  s.prompt = "50 % & <b>#?=+ \u0000 \u202e👋\nend ";
  s.bos = true;
  s.die = 0.25;
  s.branches = [{ name: "A", tokens: [[0, true]] }];
  settings.strategy = "beam";
  settings.strategyArgs = { beam: { num_beams: 4, length_penalty: -0.5 } };
  settings.stages = [
    stage("top_p", 0),
    { kind: "bad_words", on: true, args: {}, lists: { bad_words_ids: "a=b;c,d!\n e" } },
    stage("temperature", 0),
    stage("top_k", 41, false),
    stage("min_p", 1e-7),
    stage("repetition_penalty", 1.3, false),
    stage("no_repeat_ngram_size", 0),
  ];
  settings.stop = ["\n", "&stop=x"];
  s.paneTokens = 60;
  s.paneSeeds = true;
  s.panes = [
    { preset: "own", settings: structuredClone({ ...settings, seed: 21, stop: [] }) },
    { preset: "greedy", settings: { ...settings, strategy: "greedy", strategyArgs: {}, stop: [] } },
  ];
  const got = read(writeFragment(s));
  for (const name of /** @type {const} */ ([
    "prompt",
    "bos",
    "die",
    "branches",
    "paneTokens",
    "paneSeeds",
  ]))
    assert.deepEqual(got[name], s[name]);
  assert.deepEqual(got.settings, s.settings);
  assert.deepEqual(got.panes?.[0].settings.stages, settings.stages);
  assert.deepEqual(got.panes?.[0].settings.strategyArgs, settings.strategyArgs);
  assert.equal(got.panes?.[1].preset, "greedy");
});

test("0 is a value", () => {
  const s = state();
  const settings = /** @type {NonNullable<State["settings"]>} */ (s.settings);
  settings.stages = ["temperature", "top_k", "min_p", "top_p"].map((kind) => stage(kind, 0));
  settings.seed = 0;
  s.die = 0;
  const got = read(writeFragment(s));
  const on = got.settings?.stages.filter((x) => x.on);
  assert.deepEqual(on, settings.stages);
  assert.equal(got.settings?.seed, 0);
  assert.equal(got.die, 0);
});

test("a link is short", () => {
  assert.ok(writeFragment(state()).length < 180, writeFragment(state()));
});

test("what a fragment says wrongly is named, the rest is used", () => {
  const { state: got, refused } = readFragment(
    "#compare?v=9&prompt=ok&model=../../x&text=1.-2&die=1&seed=-4&strategy=sampling&stages=top_k:1e&max_new_tokens=0" +
      "&beams=99,1,1&draws=1.5,1,1,0&length=1000&list=nowhere.x=1",
  );
  assert.equal(got.prompt, "ok");
  assert.equal(got.view, "compare");
  const wrong =
    "v 9,model ../../x,text 1.-2,die 1,top_k 1e,seed -4,max_new_tokens 0,list nowhere.x,length 1000," +
    "beams.num_beams: 99, want 1 to 6,draws.count: 1.5, want a whole number";
  assert.equal(refused.join(), wrong);
  for (const name of ["model", "beams", "draws"]) assert.ok(!(name in got), name);
  assert.equal(got.die, null);
});

test("hostile fragments do no harm", () => {
  const long = "x".repeat(1e6);
  for (const link of [
    `#${long}`,
    `#explore?prompt=${long}`,
    `#explore?strategy=__proto__,__proto__=1&stages=__proto__:__proto__=1;constructor:1&list=__proto__.__proto__=1`,
    `#explore?strategy=a&stages=${"a:1;".repeat(1e5)}`,
    "#explore?prompt=%E0%A4%A&text=%00",
    `#compare?${"pane=a!b!c:1&".repeat(1000)}`,
    "#__proto__?prompt=x",
  ]) {
    const { state: got, refused } = readFragment(link);
    assert.ok((got.settings?.stages.length ?? 0) <= 70);
    assert.ok((got.panes?.length ?? 0) <= 6);
    for (const r of refused) assert.ok(r.length < 100);
  }
  assert.equal(/** @type {any} */ ({}).a, undefined);
});

test("limits, ends, lists of a strategy and of a stage that stands twice come back", () => {
  const twice = [
    { kind: "bad_words_ids", on: true, args: {}, lists: { bad_words_ids: " a" } },
    { kind: "bad_words_ids", on: true, args: {}, lists: { bad_words_ids: " b" } },
  ];
  const told = state();
  Object.assign(/** @type {object} */ (told.settings), {
    strategy: "dola",
    strategyArgs: { dola: { dola_layers: 2 } },
    strategyLists: { dola: { dola_layer_list: "2 4" } },
    stages: [...twice, .../** @type {any} */ (told.settings).stages],
    max_length: 60,
    max_time: 2.5,
    endTokens: [" the", "."],
    assistant_early_exit: 3,
  });
  const { state: read, refused } = readFragment(writeFragment(told));
  assert.deepEqual(refused, []);
  assert.deepEqual(read.settings, told.settings);
});

test("of beams and draws it is told which number is wrong, and its range", () => {
  /** @type {[link: string, told: string[]][]} */
  const wrong = [
    [
      "beams=0,13,2.1",
      ["num_beams: 0, want 1 to 6", "steps: 13, want 1 to 12", "length_penalty: 2.1, want 0 to 2"],
    ],
    ["beams=2,x,1", ["steps: x, want 1 to 12"]],
    [
      `draws=1,1,,${"9".repeat(1000)}`,
      ['length: "", want 1 to 12', "again: 999999999999…, want 0 to 1000000"],
    ],
    ["draws=1,1.5,1,0", ["texts: 1.5, want a whole number"]],
  ];
  for (const [link, told] of wrong) {
    const { state: got, refused } = readFragment(`#draws?${link}`);
    const [key] = link.split("=");
    assert.deepEqual(
      refused,
      told.map((what) => `${key}.${what}`),
    );
    assert.ok(!(key in got), link);
  }
  for (const few of ["beams 1,1", "draws 1,1,1,1,1", "beams "])
    assert.deepEqual(readFragment(`#draws?${few.replace(" ", "=")}`).refused, [few]);
});

test("what is no number is told as it was typed, and its stage is as if it were not named", () => {
  /** @type {[stage: string, told: string][]} */
  const wrong = [
    ["temperature:0,8", "temperature 0,8"],
    ["temperature:temperature=0.8,temperature=8", "temperature 0.8,8"],
    ["top_k:1e999", "top_k 1e999"],
    ["top_k:99999999999999999999", "top_k 99999999999999999999"],
    ["top_p:.", "top_p ."],
    ["top_p:", ""],
    ["top_p:NaN", "top_p NaN"],
    [`top_p:${"9".repeat(1000)}x`, `top_p ${"9".repeat(1000)}x`],
  ];
  for (const [stage, told] of wrong)
    for (const link of [
      `#explore?v=1&strategy=sampling&stages=${stage}`,
      `#compare?v=1&pane=own!sampling!${stage}&pane=greedy!greedy!`,
    ]) {
      const { state: read, refused } = readFragment(link);
      const ofOne = link.startsWith("#compare") && told ? `pane 1 ${told}` : told;
      assert.equal(refused.join(), ofOne.length > 60 ? `${ofOne.slice(0, 60)}…` : ofOne, link);
      const { stages } = read.settings ?? read.panes?.[0].settings ?? assert.fail(link);
      const got = stages.find((s) => stage.startsWith(s.kind));
      const kind = /** @type {keyof typeof SHOWN_OFF} */ (got?.kind);
      const want = told ? { on: false, args: { [kind]: SHOWN_OFF[kind] } } : { on: true, args: {} };
      assert.deepEqual(got, { kind, ...want, lists: {} }, link);
    }
});

test("what looks like a link to a lesson and is none is told, beside their list", () => {
  for (const name of ["TOP-P", "../x", "top-p/../x", ""])
    assert.deepEqual(readHash(`#lesson=${name}`), {
      state: { view: "lessons", lesson: "" },
      refused: [`lesson ${name}`],
    });
  assert.equal(readHash("#lesson=top-p/slip").state.lesson, "top-p/slip");
});

test("one pane is no comparison, and that is told", () => {
  const { state, refused } = readFragment("#compare?v=1&prompt=a&pane=greedy!greedy!&length=20");
  assert.deepEqual(refused, ["pane: 1, want 2 to 6"]);
  assert.equal(state.panes, undefined);
  assert.equal(state.paneTokens, 20);
});

test("a link of a megabyte is read at once, and what is too much of it is named", () => {
  const many = (/** @type {(i: number) => string} */ one, n = 150_000) =>
    Array.from({ length: n }, (_, i) => one(i)).join("");
  /** @type {[string, RegExp][]} */
  const links = [
    [`stages=top_k:1${many((i) => `&list=top_k.b${i}=c`)}`, /^list top_k\.b/],
    [`stages=top_k:1${many(() => "&end=a")}`, /^end a/],
    [`prompt=a${many(() => "&pane=a!b!c")}`, /^pane a!b!c/],
    [`stages=top_k:${many((i) => `a${i}=x,`)}`, /^top_k a0=x/],
    [
      `pane=own!sampling!top_k:${many((i) => `a${i}=x,`)}&pane=greedy!greedy!`,
      /^pane 1 top_k a0=x/,
    ],
  ];
  for (const [link, names] of links) {
    const start = process.cpuUsage();
    const { refused } = readFragment(`#compare?v=1&${link}`);
    // A reader that looks back for each of them takes minutes.
    assert.ok(process.cpuUsage(start).user < 15e6, `${link.slice(0, 40)}: it took too long`);
    assert.ok(
      refused.some((what) => names.test(what)),
      `${names} is not among ${refused.slice(0, 3)}`,
    );
  }
});

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import fc from "fast-check";
import { writeFragment } from "./fragment.js";
import { readKept } from "./kept.js";
import { readLink } from "./lesson/link.js";
import { readLesson } from "./lesson/teacher.js";
import { parse } from "./lesson/text.js";
import { readFragment } from "./readfragment.js";
import { checked, PLAIN } from "./settings.js";
import { startState } from "./state.js";
import { readWidgetAddress } from "./widget/address.js";
import { readMessage } from "./widget/message.js";
import { patchState } from "./widget/patch.js";

/**
 * What comes from outside the page, in any form: links, addresses of widgets,
 * messages, lesson files, and what an earlier visit kept. FUZZ_MS is how long
 * each of these is tried, in place of a few hundred tries. What fails is told
 * with a seed and a path; kept at the end of its test, it is tried each time.
 *
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./state.js").State} State
 */

const ms = Number(process.env.FUZZ_MS ?? 0);
const how = ms
  ? {
      numRuns: Number.POSITIVE_INFINITY,
      interruptAfterTimeLimit: ms,
      markInterruptAsFailure: false,
    }
  : { numRuns: 300 };

/**
 * @template T
 * @param {string} name
 * @param {fc.Arbitrary<T>} from
 * @param {(value: T) => void} property
 * @param {any[]} [kept] what once failed
 */
const fuzz = (name, from, property, kept = []) =>
  test(name, () =>
    fc.assert(fc.property(from, property), { ...how, examples: kept.map((value) => [value]) }),
  );

/** Names that objects have of themselves, and characters that mean something. */
const words = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty", "", "null"),
  fc.constantFrom("top_p", "top_k", "temperature", "sampling", "beam", "num_beams", "page"),
  fc.constantFrom("<img src=x onerror=alert(1)>", "javascript:alert(1)", "\u202e\u0000\ud800"),
  fc.string({ unit: "binary", maxLength: 30 }),
);
const numbers = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, 0.9, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53),
);
const anything = fc.oneof(
  words,
  numbers,
  fc.anything({
    withNullPrototype: true,
    withBigInt: true,
    withDate: true,
    withSparseArray: true,
    key: words,
  }),
);

const KEYS =
  "v prompt bos model strategy stages list stop max_new_tokens max_length max_time eos end draft seed text die length pane beams draws view start slider toy lesson theme lang host".split(
    " ",
  );
const SAID = [
  "1",
  "sampling",
  "beam,num_beams=4",
  "temperature:0.8;top_k:40;-top_p:0.9",
  "top_p.x=1",
  "464.!318",
  "0.25",
  "own!greedy!top_p:0",
  "4,6,1",
  "100,50,6,0",
  "storybook-4m:1a2b3c4d",
  "https://a.example",
  "1e999",
  "-1",
  "~2",
];
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom(...KEYS),
      fc.oneof(fc.constantFrom(...SAID), words, numbers.map(String)),
    ),
    {
      maxLength: 12,
    },
  )
  .map((pairs) => new URLSearchParams(pairs.map(([k, v]) => [k, v])).toString());
const view = fc.oneof(fc.constantFrom("explore", "compare", "beams", "draws", "lessons"), words);
const link = fc.oneof(
  fc.tuple(view, query).map(([v, q]) => `#${v}?${q}`),
  fc.string({ unit: "binary", maxLength: 200 }),
);

fuzz("any fragment is read, and what was read is written and read again", link, (hash) => {
  const { state, refused } = readFragment(hash);
  for (const r of refused) assert.ok(r.length < 130);
  const full = { ...startState(), ...state };
  const { state: again } = readFragment(writeFragment(full));
  // A number that is none is refused when the engine's kinds are known.
  const { settings } = state;
  const odd =
    JSON.stringify([settings, state.panes]) !== JSON.stringify([settings, state.panes], real);
  if (odd || !settings || state.view === "lessons") return;
  assert.deepEqual(again.prompt, Buffer.from(full.prompt).toString());
  assert.deepEqual(again.die ?? null, full.die);
});

/** @param {string} _ @param {unknown} v */
const real = (_, v) => (typeof v === "number" && !Number.isFinite(v) ? "none" : v);

const param = (/** @type {string} */ name, /** @type {object} */ more) => ({
  ...{ name, type: "number", default: 1, min: 0, max: 1, off: 1, hasOff: true, range: "0 to 1" },
  ...more,
});
const described = /** @type {Described} */ (
  /** @type {unknown} */ ({
    processors: [
      { name: "temperature", params: [param("temperature", { max: 100 })] },
      { name: "top_k", params: [param("top_k", { type: "integer", max: 1e6, off: 0 })] },
      { name: "top_p", params: [param("top_p", {})] },
      { name: "bad_words_ids", params: [{ name: "bad_words_ids", type: "sequences" }] },
    ],
    strategies: [
      { name: "sampling", params: [] },
      { name: "beam", params: [param("num_beams", { type: "integer", min: 1, max: 16 })] },
    ],
  })
);

/** Whether settings are such that the engine takes them. @param {any} settings */
function assertGood(settings) {
  assert.ok(["sampling", "beam"].includes(settings.strategy));
  for (const s of settings.stages) {
    const kind = described.processors.find((k) => k.name === s.kind);
    assert.ok(kind);
    for (const [name, v] of Object.entries(s.args)) {
      const p = kind.params.find((q) => q.name === name);
      assert.ok(p && Number(v) >= p.min && Number(v) <= p.max, `${name} ${v}`);
    }
  }
  assert.ok(Number.isInteger(settings.seed) && settings.seed >= 0);
}

fuzz("settings of any link are good ones, once they are checked", link, (hash) => {
  const { state } = readFragment(hash);
  if (state.settings) assertGood(checked(described, state.settings).settings);
  for (const p of state.panes ?? []) assertGood(checked(described, p.settings).settings);
});

fuzz("any address of a widget is read", fc.oneof(query, link), (hash) => {
  const address = readWidgetAddress(hash);
  for (const host of address.hosts) assert.equal(new URL(host).origin, host);
  for (const name of [address.slider, address.toy]) assert.match(name, /^[a-z0-9_-]{0,40}$/);
  assert.match(address.lesson, /^[a-z0-9_/-]{0,81}$/);
});

fuzz("any link into the lessons is read", words, (name) => {
  const place = readLink(`#lesson=${name}`);
  if (place) assert.match(place.lesson + place.step, /^[a-z0-9-]*$/);
});

const parent = {};
const from = { origin: "https://course.example", source: parent };
const who = { parent, origins: [from.origin] };
const type = fc.oneof(
  fc.constantFrom("get", "set", "run").map((call) => `decoding-playground:${call}`),
  words,
);
const message = fc.oneof(
  anything,
  fc.record({ type, id: anything, names: anything, state: anything, steps: anything }),
  fc.record({
    type,
    id: fc.nat(),
    names: fc.array(anything),
    state: fc.dictionary(words, anything),
    steps: numbers,
  }),
);

fuzz(
  "any message is heard, refused or passed over",
  message,
  (data) => {
    const asked = readMessage({ data, ...from }, who);
    if (!asked) return;
    assert.ok(["get", "set", "run", "bad"].includes(asked.call));
    assert.ok(["string", "number"].includes(typeof asked.id));
    if (asked.call === "run") assert.ok(Math.abs(asked.steps) <= 200);
    if (asked.call === "get") for (const n of asked.names) assert.equal(typeof n.var, "string");
    assert.equal(readMessage({ data, ...from, origin: "https://evil.example" }, who), null);
    assert.equal(readMessage({ data, ...from, source: {} }, who), null);
  },
  [{ type: "decoding-playground:run", id: 1, steps: { toString: 1, valueOf: 1 } }],
);

const base = /** @type {State} */ ({
  ...startState(),
  settings: checked(described, /** @type {any} */ ({ strategy: "sampling", ...PLAIN })).settings,
});
const wanted = fc.dictionary(
  fc.oneof(
    fc.constantFrom("top_p", "top_k", "seed", "die", "prompt", "strategy", "num_beams"),
    words,
  ),
  anything,
  { maxKeys: 4 },
);

fuzz(
  "what a host sets is taken whole, or refused in words",
  wanted,
  (state) => {
    try {
      const patch = patchState(described, base, state);
      assertGood(patch.settings);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      assert.match(message, /: .*(want|not known)/s);
    }
  },
  [{ top_p: { toString: 1 } }, { strategy: { toString: 1 } }],
);

const json = async (/** @type {string} */ file) =>
  JSON.parse(await readFile(new URL(`./lessons/${file}`, import.meta.url), "utf8"));
const index = await json("index.json");
const known = {
  schema: await json("lesson.schema.json"),
  vocab: (await json("toys.json")).vocab,
  lessons: index.lessons,
};
const lessons = [
  await json("en/top-p.json"),
  await json("en/beam.json"),
  await json("en/one-step.json"),
];

/** A lesson with something of it changed: the places are picked by number.
 * @param {any} lesson @param {[number[], unknown][]} edits */
function edited(lesson, edits) {
  const copy = structuredClone(lesson);
  for (const [path, v] of edits) {
    let at = copy;
    for (const step of path.slice(0, -1)) {
      const keys = Object.keys(at);
      const next = at[keys[step % keys.length]];
      if (typeof next !== "object" || next === null || !Object.keys(next).length) break;
      at = next;
    }
    const keys = Object.keys(at);
    at[keys[(path.at(-1) ?? 0) % keys.length]] = v;
  }
  return copy;
}
const edits = fc.array(
  fc.tuple(
    fc.array(fc.nat(40), { minLength: 1, maxLength: 6 }),
    fc.oneof(words, numbers, fc.jsonValue()),
  ),
  { maxLength: 3 },
);
const lessonFile = fc.oneof(
  fc
    .tuple(fc.constantFrom(...lessons), edits)
    .map(([lesson, e]) => JSON.stringify(edited(lesson, e))),
  fc.jsonValue().map((v) => JSON.stringify(v)),
  fc.string({ unit: "binary" }),
);

fuzz("any lesson file is a lesson, or told in words what is wrong with it", lessonFile, (text) => {
  const { lesson, problems } = readLesson(text, known);
  assert.equal(lesson === null, problems.length > 0);
  for (const p of problems)
    assert.ok(p.wrong && p.want && `${p.path}${p.wrong}`.length < 400, JSON.stringify(p));
  if (!lesson) return;
  assert.match(lesson.id, /^[a-z][a-z0-9-]*$/);
  assert.doesNotMatch(lesson.title, /[<>]/);
});

fuzz(
  "a lesson's text keeps its words, and links nowhere but to lessons",
  fc.array(words),
  (list) => {
    const text = list.map((w, i) => ["*", "`", "[x](lesson:", " "][i % 4] + w).join("");
    for (const p of parse(text)) {
      assert.ok(text.includes(p.text));
      if (p.kind === "link") assert.match(p.lesson, /^[a-z][a-z0-9-]*$/);
    }
  },
);

const kept = fc.oneof(
  fc.record(
    {
      view,
      prompt: anything,
      settings: fc.oneof(
        anything,
        fc.constant(base.settings),
        fc.record({ strategy: words, strategyArgs: anything, stages: fc.array(anything) }),
      ),
      branches: fc.oneof(
        anything,
        fc.array(fc.record({ name: words, tokens: fc.array(fc.tuple(numbers, fc.boolean())) })),
      ),
      branch: numbers,
      panes: fc.array(anything),
      draws: anything,
      lesson: words,
      die: numbers,
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);

fuzz("whatever was kept, there is a state to start from", kept, (value) => {
  const text = JSON.stringify(value, (_, v) => (typeof v === "bigint" ? String(v) : v));
  const state = { ...startState(), ...readKept(text ?? null) };
  assert.equal(typeof writeFragment(state), "string");
  if (state.settings) assertGood(checked(described, state.settings).settings);
  for (const p of state.panes) assertGood(checked(described, p.settings).settings);
  assert.ok(state.branch === 0 || state.branches[state.branch]);
});

test("what is kept whole comes back whole", () => {
  assert.deepEqual({ ...startState(), ...readKept(JSON.stringify(base)) }, base);
  assert.deepEqual(readKept("{"), {});
  assert.deepEqual(readKept(null), {});
});

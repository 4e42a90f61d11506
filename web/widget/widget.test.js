import assert from "node:assert/strict";
import test from "node:test";
import { PLAIN } from "../settings.js";
import { embedFragment, SNIPPETS } from "../share/snippets.js";
import { isOrigin, readWidgetAddress } from "./address.js";
import { readMessage } from "./message.js";
import { patchBeams, patchState, setWhole } from "./patch.js";
import { wantedHeight } from "./size.js";
import { createWidgetStore } from "./store.js";

const parent = {};
const who = { parent, origins: ["https://course.example"] };
const ok = { origin: "https://course.example", source: parent };
/** @param {unknown} data @param {object} [from] */
const read = (data, from = {}) => readMessage({ data, ...ok, ...from }, who);

test("a message is heard from the page above at a named origin, and from nobody else", () => {
  const data = { type: "decoding-playground:run", id: 1, steps: 2 };
  assert.deepEqual(read(data), { call: "run", id: 1, steps: 2 });
  assert.deepEqual(read({ ...data, steps: 1000 }), { call: "run", id: 1, steps: 1000 });
  assert.equal(read(data, { origin: "https://evil.example" }), null);
  assert.equal(read(data, { origin: "null" }), null);
  assert.equal(read(data, { source: {} }), null);
  assert.equal(readMessage({ data, ...ok, source: null }, { ...who, parent: null }), null);
});

test("what is not ours is not answered", () => {
  for (const data of [
    null,
    undefined,
    "decoding-playground:run",
    7,
    [],
    {},
    { type: "lti.frameResize", height: 1 },
    { type: "decoding-playground:eval", id: 1, code: "alert(1)" },
    { type: "decoding-playground:run", steps: 1 },
    { type: "decoding-playground:run", id: { toString: () => "x" }, steps: 1 },
    { type: "decoding-playground:get", id: "x".repeat(101), names: [] },
    { type: "x".repeat(1e6), id: 1 },
  ])
    assert.equal(read(data), null, JSON.stringify(data)?.slice(0, 60));
});

test("what is ours and wrong is said to be", () => {
  const wrong = (/** @type {object} */ data) => {
    const got = read({ id: "a", ...data });
    assert.equal(got?.call, "bad");
    return /** @type {any} */ (got).error;
  };
  assert.match(wrong({ type: "decoding-playground:run", steps: 1e9 }), /^steps: want/);
  assert.match(wrong({ type: "decoding-playground:run", steps: "5" }), /^steps: want/);
  assert.match(wrong({ type: "decoding-playground:set", state: [1] }), /^state: want/);
  assert.match(wrong({ type: "decoding-playground:get", names: Array(101).fill("x") }), /^names/);
  assert.match(wrong({ type: "decoding-playground:get", names: [{ var: 1 }] }), /^names/);
  assert.match(wrong({ type: "decoding-playground:get", names: [null] }), /^names/);
});

test("names of variables, bare or with what they want", () => {
  const names = ["entropy_bits", { var: "prob", token: "mouse", other: 1 }];
  assert.deepEqual(
    /** @type {any} */ (read({ type: "decoding-playground:get", id: 0, names })).names,
    [{ var: "entropy_bits" }, { var: "prob", token: "mouse", stage: "", pane: 0, n: 1 }],
  );
});

const param = (/** @type {string} */ name, /** @type {object} */ more) => ({
  name,
  type: "number",
  default: 1,
  min: 0,
  max: 1,
  off: 1,
  hasOff: true,
  range: "0 to 1",
  ...more,
});
const described = /** @type {import("../api.d.ts").Described} */ (
  /** @type {unknown} */ ({
    processors: [
      { name: "temperature", params: [param("temperature", { max: 100, range: "0 to 100" })] },
      { name: "top_k", params: [param("top_k", { type: "integer", max: 1e6, off: 0 })] },
      { name: "top_p", params: [param("top_p", {})] },
    ],
    strategies: [
      { name: "sampling", params: [] },
      { name: "beam", params: [param("num_beams", { min: 1, max: 16, range: "1 to 16" })] },
    ],
  })
);
const state = /** @type {import("../state.js").State} */ (
  /** @type {unknown} */ ({
    prompt: "A",
    settings: {
      strategy: "sampling",
      strategyArgs: {},
      ...PLAIN,
      stages: [{ kind: "top_p", on: true, args: { top_p: 0.9 }, lists: {} }],
      seed: 1,
      max_new_tokens: 20,
      ends: true,
      stop: [],
    },
  })
);

test("set puts values under their names, 0 and off included", () => {
  const { settings, prompt } = patchState(described, state, {
    top_p: 0,
    top_k: 5,
    seed: 0,
    prompt: "B",
  });
  assert.equal(prompt, "B");
  assert.deepEqual(
    settings?.stages.map((s) => [s.kind, s.on, s.args[s.kind]]),
    [
      ["top_k", true, 5],
      ["top_p", true, 0],
    ],
  );
  assert.equal(settings?.seed, 0);
  const off = patchState(described, state, { top_p: 1 }).settings?.stages[0];
  assert.deepEqual([off?.on, off?.args.top_p], [false, 0.9]);
  const beams = patchState(described, state, { strategy: "beam", num_beams: 4 }).settings;
  assert.deepEqual(beams?.strategyArgs, { beam: { num_beams: 4 } });
  for (const wanted of [
    { prompt: "C", die: 0.3 },
    { die: 0.3, prompt: "C" },
  ])
    assert.equal(patchState(described, state, wanted).die, 0.3, "whichever is named first");
});

test("the search of the view Beams is set under the names of its strategy", () => {
  const base = { ...state, beams: { num_beams: 3, steps: 6, length_penalty: 1 } };
  const patch = patchBeams(described, base, { num_beams: 4, length_penalty: 0.5, top_p: 0.3 });
  assert.deepEqual(patch.beams, { num_beams: 4, steps: 6, length_penalty: 0.5 });
  assert.equal(patch.settings?.stages[0].args.top_p, 0.3);
  assert.deepEqual(patchBeams(described, base, { strategy: "beam" }).beams, base.beams);
  for (const [wanted, error] of /** @type {[Record<string, unknown>, RegExp][]} */ ([
    [{ num_beams: 7 }, /^num_beams: 7, want 1 to 6$/],
    [{ num_beams: 1.5 }, /^num_beams: 1\.5, want a whole number, 1 to 6$/],
    [{ length_penalty: -1 }, /^length_penalty: -1, want 0 to 2$/],
    [{ length_penalty: "1" }, /^length_penalty: "1", want a number, 0 to 2$/],
    [{ strategy: "sampling" }, /^strategy: "sampling", want beam$/],
  ]))
    assert.throws(() => patchBeams(described, base, wanted), { message: error });
});

test("what can't be followed leaves the state whole, with what the reader did meanwhile", async () => {
  const store = createWidgetStore({ ...state, die: 0.5 }, () => {});
  const fails = async () => {
    store.set({ die: 0.7 });
    throw new Error("prompt: empty");
  };
  await assert.rejects(setWhole(store, { prompt: "", die: 0.3 }, fails), /^Error: prompt/);
  assert.deepEqual(store.get(), { ...state, die: 0.7 });
  await setWhole(store, { die: 0.3 }, async () => {});
  assert.equal(store.get().die, 0.3);
});

test("set refuses what it does not know or take, and names it", () => {
  for (const [wanted, error] of /** @type {[Record<string, unknown>, RegExp][]} */ ([
    [{ top_p: 1.5 }, /^top_p: 1\.5, want 0 to 1$/],
    [{ top_p: "0.5" }, /^top_p: "0\.5", want a number, 0 to 1$/],
    [{ top_k: 1.5 }, /^top_k: 1\.5, want a whole number, 0 to /],
    [{ seed: 0.5 }, /^seed: 0\.5, want a whole number, 0 to /],
    [{ die: "x" }, /^die: "x", want a number, 0 up to/],
    [{ top_p: Number.NaN }, /^top_p: NaN/],
    [{ nonsense: 1 }, /^nonsense: not known$/],
    [{ __proto__x: 1 }, /not known/],
    [{ constructor: 1 }, /not known/],
    [{ die: 1 }, /^die: 1, want/],
    [{ seed: -1 }, /^seed: -1/],
    [{ prompt: 5 }, /^prompt/],
    [{ prompt: "x".repeat(3e5) }, /^prompt: "x{40}",/],
    [{ strategy: "evil" }, /^strategy: "evil"/],
  ]))
    assert.throws(() => patchState(described, state, wanted), { message: error });
});

test("the address of a widget", () => {
  const got = readWidgetAddress(
    "#view=draws&start=click&slider=top_p&theme=dark&host=https://course.example&host=https://x.example/path&host=javascript:alert(1)&v=1&prompt=A&draws=10,10,3,0",
  );
  assert.equal(got.part, "draws");
  assert.equal(got.lazy, true);
  assert.deepEqual([got.slider, got.theme], ["top_p", "dark"]);
  assert.deepEqual(got.hosts, ["https://course.example"]);
  assert.deepEqual([got.state.prompt, got.state.view, got.state.draws?.count], ["A", "draws", 10]);
  assert.deepEqual(got.refused, ["host https://x.example/path", "host javascript:alert(1)"]);
});

test("a hostile address is refused by name", () => {
  const got = readWidgetAddress(
    "#view=<img>&slider=__proto__&lesson=../../x&theme=x&toy=A&start=1",
  );
  assert.equal(got.part, "distribution");
  assert.deepEqual([got.slider, got.lesson, got.toy, got.theme], ["", "", "", "auto"]);
  assert.equal(got.refused.length, 6);
  assert.ok(!isOrigin("https://a.example/") && !isOrigin("data:,x") && !isOrigin("*"));
});

test("what an address says and can't be used is named", () => {
  for (const [hash, refused] of /** @type {[string, string[]][]} */ ([
    ["view=distribution&lang=xx", ["lang xx"]],
    ["view=distribution&lang=de-AT&toy=capital", []],
    ["lang=constructor", ["lang constructor"]],
    ["view=step", ["view step"]],
    ["view=step&lesson=../x", ["lesson ../x", "view step"]],
    ["view=step&lesson=top-p/slip", []],
    ["view=lesson&toy=capital", ["toy capital"]],
    ["lesson=top-p&kept=planet", ["kept planet"]],
    ["view=distribution&toy=capital&kept=planet", ["kept planet"]],
    ["view=draws&toy=capital", ["toy capital"]],
    ["view=beams&kept=planet", ["kept planet"]],
    ["view=compare&toy=loop", ["toy loop"]],
  ]))
    assert.deepEqual(readWidgetAddress(`#${hash}`).refused, refused, hash);
});

test("the fragment of the dialog is what the widget reads", () => {
  const all = {
    ...state,
    view: "explore",
    branches: [],
    branch: 0,
    die: 0.25,
    model: "m",
    modelHash: "ab",
    lesson: "top-p/slip",
  };
  const full = /** @type {import("../state.js").State} */ (/** @type {unknown} */ (all));
  const got = readWidgetAddress(embedFragment(full, { part: "distribution", start: "click" }));
  assert.deepEqual([got.part, got.lazy, got.state.die], ["distribution", true, 0.25]);
  assert.equal(got.state.settings?.stages.find((s) => s.kind === "top_p")?.args.top_p, 0.9);
  const lesson = readWidgetAddress(embedFragment(full, { part: "lesson", start: "now" }));
  assert.deepEqual([lesson.part, lesson.lesson], ["lesson", "top-p/slip"]);
});

test("a snippet is one address in one attribute", () => {
  const embed = {
    base: "https://a.example/p/",
    fragment: 'x=1&y="<z>',
    title: 'A "title" </iframe>',
  };
  const myst = SNIPPETS["MyST, Jupyter Book 2"](embed).split("\n");
  assert.deepEqual(
    [myst[0], ...myst.slice(2)],
    [":::{anywidget} https://a.example/p/anywidget.js", ":::"],
  );
  assert.deepEqual(JSON.parse(myst[1]), {
    site: embed.base,
    state: embed.fragment,
    title: embed.title,
  });
  for (const [name, snippet] of Object.entries(SNIPPETS)) {
    const text = snippet(embed);
    assert.ok(text.includes("a.example/p/"), name);
    if (!text.includes("<iframe")) continue;
    assert.equal(text.split("<iframe").length, 2, name);
    assert.match(text, /src="[^"]*x=1&amp;y=&quot;&lt;z>"/, name);
  }
});

test("five to three, never less than 300 px, and a lesson as long as it is", () => {
  assert.equal(wantedHeight("distribution", 500, 0), 300);
  assert.equal(wantedHeight("draws", 640, 0), 384);
  assert.equal(wantedHeight("beams", 340, 0), 340);
  assert.equal(wantedHeight("compare", 4000, 0), 480);
  assert.equal(wantedHeight("lesson", 500, 1234.2), 1235);
});

test("an address with more hosts than a call has room for is read, and the strange ones are named", () => {
  const { hosts, refused } = readWidgetAddress(
    `#${"host=x&".repeat(150_000)}host=https://a.example`,
  );
  assert.deepEqual(hosts, ["https://a.example"]);
  assert.equal(refused[0], "host x");
});

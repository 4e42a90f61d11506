/**
 * Makes the links of wasm/testdata/links.json: every strategy and processor in
 * many settings, on short prompts and on the lessons' toys. Links that are out
 * in the world keep their meaning, so this is run only for a new default model:
 *
 *   make wasm && node tools/links/main.js && go test ./wasm/api -run TestPinned -update
 */

import { readFile, writeFile } from "node:fs/promises";
import { writeFragment } from "../../web/fragment.js";
import { newStage, startSettings } from "../../web/settings.js";
import { startState } from "../../web/state.js";
import { load, loadToy, ofLink, start, write } from "./engine.js";

/** @typedef {import("../../web/api.d.ts").Kind} Kind */
/** @typedef {import("../../web/api.d.ts").Param} Param */

const COUNT = 200;
/** Texts that a strategy follows at most: browsers have to write all of this, too. */
const WIDTH = 3;
const TOYS = ["capital", "again", "shifted", "loop", "fork", "short", "trap"];
const PROMPTS = [
  "The cat ran after a",
  "Once upon a time",
  "Tom said",
  "  two spaces",
  "naïve café",
  "猫が",
  "مرحبا",
  "👋 hello",
  "1234567",
  "don't you'll",
  "A",
  "\n\n",
  "if (x < 3) {",
  "the the the the",
  "She was very",
  "<|endoftext|>",
];

const file = new URL("../../wasm/testdata/links.json", import.meta.url);
const { model } = JSON.parse(
  await readFile(new URL("../../wasm/testdata/pinned.json", import.meta.url), "utf8"),
);
const call = await start("engine.wasm");
const info = await load(call, model);
const described = call("describe", {});
const strategies = described.strategies.filter((/** @type {Kind} */ k) => !k.draft);
const processors = described.processors.filter((/** @type {Kind} */ k) =>
  k.params.every((p) => p.type !== "sequences"),
);

const cases = [];
for (let i = 0; cases.length < COUNT; i++) {
  const random = dice(i);
  /** @template T @param {T[]} list @returns {T} */
  const pick = (list) => list[Math.floor(random() * list.length)];
  const toy = i % 4 === 3 ? pick(TOYS) : "";
  const strategy = strategies[i % strategies.length];
  const stages = Array.from({ length: Math.floor(random() * 5) }, () => pick(processors)).map(
    (kind) => ({ ...newStage(kind), args: args(kind, random) }),
  );
  const settings = {
    ...startSettings(described),
    strategy: strategy.name,
    strategyArgs: strategy.params.length ? { [strategy.name]: args(strategy, random, WIDTH) } : {},
    stages,
    seed: Math.floor(random() * 2 ** (1 + Math.floor(random() * 53))),
  };
  const prompt = toy ? "" : pick(PROMPTS);
  const link = writeFragment({ ...startState(), prompt, settings });
  const steps = 2 + Math.floor(random() * 2);
  const by = toy ? loadToy(call, toy) : info;
  try {
    const pin = { link, toy, ...(await ofLink(call, by, link)), steps, ids: [], digest: "" };
    cases.push({ ...pin, ...write(call, by, pin) });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    console.log(`passed over: ${message}`); // a strategy that wants what the others don't
  }
}
const lines = cases.map((c) => JSON.stringify(c)).join(",\n");
await writeFile(file, `{"model":"${model}","hash":"${info.hash}","cases":[\n${lines}\n]}\n`);
process.exit();

/** Values where sliders go, or the default; whole numbers up to most.
 * @param {Kind} kind @param {() => number} random @param {number} [most] */
function args(kind, random, most = 1e9) {
  const value = (/** @type {Param} */ p) => {
    const high = p.type === "integer" ? Math.max(p.low, Math.min(p.high, most)) : p.high;
    if (random() < 0.3 && p.default <= high) return p.default;
    const v = p.low + random() * (high - p.low);
    const steps = p.type === "number" ? 100 : 1;
    const rounded = Math.round(v * steps) / steps;
    return rounded < p.low || rounded > high ? p.low : rounded;
  };
  const numbers = kind.params.filter((p) => p.type !== "sequences");
  return Object.fromEntries(numbers.map((p) => [p.name, value(p)]));
}

/** Mulberry32: the same numbers each time. @param {number} seed */
function dice(seed) {
  let a = seed * 0x9e3779b9;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The lessons on the built engine in Node: their data, and benches as the page makes them. */

import { readFile } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createBench, wantsPage } from "../../web/lesson/bench.js";
import { setupsOf } from "../../web/lesson/scene.js";
import { stepAll } from "../../web/lesson/steps.js";
import { startEngine } from "./nodeengine.js";

/**
 * @typedef {import("../../web/lesson/catalog.js").Lesson} Lesson
 * @typedef {import("../../web/lesson/catalog.js").Step} Step
 * @typedef {import("../../web/lesson/catalog.js").Task} Task
 * @typedef {import("../../web/lesson/bench.js").Bench} Bench
 * @typedef {import("../../web/lesson/bench.js").Setup} Setup
 * @typedef {import("../../web/lesson/vars.js").Facts} Facts
 */

const root = new URL("../../", import.meta.url);

/** A file of the lessons' folder. @param {string} file */
export const readData = async (file) =>
  JSON.parse(await readFile(new URL(`web/lessons/${file}`, root), "utf8"));

/** The default model, for parts on the page's. @param {Awaited<ReturnType<typeof startEngine>>} ask */
export async function loadPage(ask) {
  const folder = new URL("weights/default/storybook-4m/", root);
  const manifest = await readFile(new URL("manifest.json", folder), "utf8");
  const { model, parts } = ask("modelBegin", { manifest });
  for (const [index, file] of parts.entries()) {
    const coded = brotliDecompressSync(await readFile(new URL(file.codedFile, folder)));
    ask("modelPart", { model, index, at: 0, sha256: "" }, new Uint8Array(coded));
  }
  return ask("modelEnd", { model });
}

/** @param {string} name */
async function storedStep(name) {
  const { prompt } = (await readData("steps/index.json"))[name];
  const packed = await readFile(new URL(`web/lessons/steps/${name}.f32.gz`, root));
  return { prompt, bytes: new Uint8Array(gunzipSync(packed)) };
}

/** Starts the engine and reads all lessons. */
export async function startLessons() {
  const ask = await startEngine();
  /** @type {import("../../web/lesson/bench.js").Call} */
  const call = async (method, params, bytes) => ask(method, params, bytes);
  const described = await call("describe", {});
  const toys = await readData("toys.json");
  /** @type {import("../../web/api.d.ts").ModelInfo | null} loaded when a part wants it */
  let page = null;
  /** @type {string[]} */
  const ids = (await readData("index.json")).lessons;
  /** @type {Lesson[]} */
  const lessons = await Promise.all(ids.map((id) => readData(`en/${id}.json`)));

  /** A bench that is open. @param {Setup} setup */
  async function openBench(setup) {
    if (wantsPage(setup)) page ??= await loadPage(ask);
    const bench = createBench({ call, described, toys, storedStep, page }, setup);
    await bench.open();
    return bench;
  }

  return {
    call,
    described,
    toys,
    ids,
    lessons,
    parts: lessons.flatMap((l) =>
      [...l.steps, ...l.tasks].map((part) => ({ name: `${l.id}/${part.id}`, lesson: l, part })),
    ),
    openBench,
    /** The benches of a step or a task, one a pane. @param {Step | Task} part */
    async open(part) {
      const benches = [];
      for (const setup of setupsOf(part)) benches.push(await openBench(setup));
      return benches;
    },
    /** Generates until all have ended. @param {Bench[]} benches */
    async run(benches) {
      while (await stepAll(call, benches));
    },
    /** What is known of each, with every token a task may ask for. @param {Bench[]} benches */
    async look(benches) {
      /** @type {Facts[]} */
      const facts = [];
      for (const b of benches) facts.push(await b.look({ rows: 1000 }));
      return facts;
    },
  };
}

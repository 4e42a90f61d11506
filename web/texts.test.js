/**
 * The texts: every key that the code asks for is there, none is idle, and every
 * language says the same with the same values. Wants `make wasm`, for the words
 * of the engine.
 */

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { startEngine } from "../tools/nodeengine/nodeengine.js";
import { LANGUAGES, localeOf, pick } from "./language.js";
import english from "./texts/en.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./texts.js").Text} Text
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {import("./api.d.ts").Described} Described
 */

const web = new URL("./", import.meta.url);
const others = Object.keys(LANGUAGES).filter((name) => name !== "en");
/** @param {string} name @returns {Promise<Texts>} */
const textsOf = async (name) => (await import(`./texts/${name}.js`)).default;

/** The code of the page, without tests and texts. */
async function readCode() {
  const names = await readdir(web, { recursive: true });
  const wanted = names.filter(
    (name) => /\.(js|html)$/.test(name) && !/test\.js$|^(vendor|texts)\//.test(name),
  );
  return (await Promise.all(wanted.map((name) => readFile(new URL(name, web), "utf8")))).join("\n");
}
const code = await readCode();
const found = (/** @type {RegExp} */ pattern) => [...code.matchAll(pattern)];
const quoted = (/** @type {string} */ text) => text.replaceAll(".", "\\.");

/** Keys that are put together, such as `stop.${reason}`, as patterns. */
const made = found(/`((?:[\w-]+\.)+)\$\{[^`]*?\}((?:\.[\w-]+)*)`/g).map(
  ([, before, after]) => new RegExp(`^${quoted(before)}[\\w.-]+${quoted(after)}$`),
);

/** The words that the engine has in English: its kinds, charts and orders. */
async function engineKeys() {
  const ask = await startEngine();
  /** @type {Described} */
  const d = ask("describe", {});
  const kinds = [...d.processors, ...d.strategies];
  return {
    keys: [
      ...kinds.map((k) => `kind.${k.name}`),
      ...d.charts.map((c) => `chart.${c.name}`),
      ...d.orders.map((o) => `order.${o.name}`),
    ].flatMap((key) => [key, `${key}.doc`]),
    groups: [...new Set(d.processors.map((k) => `group.${k.group}`))],
    params: kinds.flatMap((k) => k.params.map((p) => [k.name, p.name])),
  };
}
const engine = await engineKeys();
const { lessons } = JSON.parse(await readFile(new URL("lessons/index.json", web), "utf8"));
const titles = lessons.map((/** @type {string} */ id) => `lesson.title.${id}`);

test("every text that the code names is there", () => {
  const named = found(/\b(?:t|rich)\(\s*"([\w.-]+)"|data-t(?:-label)?="([\w.-]+)"/g);
  const missing = named.map(([, key, inPage]) => key ?? inPage).filter((key) => !(key in english));
  assert.deepEqual(missing, []);
});

test("no text is idle", () => {
  const named = new Set(found(/["'`]([\w-]+(?:\.[\w-]+)*)["'`]/g).map(([, key]) => key));
  const idle = Object.keys(english).filter(
    (key) => !named.has(key) && !made.some((m) => m.test(key)),
  );
  assert.deepEqual(idle, []);
});

/** @param {Text} text */
const formsOf = (text) => (typeof text === "string" ? [text] : Object.values(text));
/** The values that a text has places for, in order. @param {string} text */
const placesIn = (text) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();
/** How many words a text has besides its values. @param {string} text */
const wordsIn = (text) => text.replace(/\{\w+\}/g, "").match(/[A-Za-z]{2,}/g)?.length ?? 0;

for (const name of others) {
  test(`${name}: the same keys as English, and the words of the engine`, async () => {
    const texts = await textsOf(name);
    const has = (/** @type {string} */ key) => key in texts;
    const want = [...Object.keys(english), ...engine.keys, ...engine.groups, ...titles];
    const lacking = want.filter((key) => !has(key));
    for (const [kind, param] of engine.params)
      for (const end of ["", ".doc"])
        if (!has(`param.${kind}.${param}${end}`) && !has(`param.${param}${end}`))
          lacking.push(`param.${param}${end}`);
    assert.deepEqual(lacking, []);

    const params = engine.params.flatMap(([kind, p]) =>
      [`param.${kind}.${p}`, `param.${p}`].flatMap((key) => [key, `${key}.doc`]),
    );
    const known = new Set([...want, ...params]);
    assert.deepEqual(
      Object.keys(texts).filter((key) => !known.has(key)),
      [],
    );
  });

  test(`${name}: the same values in every text, and a form for every number`, async () => {
    const texts = await textsOf(name);
    const rules = new Intl.PluralRules(localeOf(name));
    const forms = new Set(Array.from({ length: 201 }, (_, n) => rules.select(n)));
    for (const [key, text] of Object.entries(texts)) {
      // The form for one may say the number in words.
      const places = placesIn(formsOf(text).at(-1) ?? "");
      if (key in english)
        assert.deepEqual(places, placesIn(formsOf(english[key]).at(-1) ?? ""), key);
      for (const form of formsOf(text))
        assert.deepEqual(
          placesIn(form).filter((p) => !places.includes(p)),
          [],
          key,
        );
      if (typeof text === "string") continue;
      assert.deepEqual(new Set(Object.keys(text)), forms, key);
    }
  });

  test(`${name}: no text is left in English`, async () => {
    const texts = await textsOf(name);
    const spoken = Object.keys(english).filter((key) => wordsIn(formsOf(english[key])[0]) > 3);
    const left = spoken.filter(
      (key) => JSON.stringify(texts[key]) === JSON.stringify(english[key]),
    );
    assert.deepEqual(left, []);
  });
}

test("a share that is not nothing never reads as nothing", () => {
  assert.match(t("stage.left", { n: 40, loss: 0.0001 }), /<0\.1\u00a0%$/);
  assert.match(t("stage.left", { n: 40, loss: 0 }), /\u22120\.0\u00a0%$/);
});

test("the first wanted language that there is", () => {
  assert.equal(pick(["de-AT", "fr"]), "de");
  assert.equal(pick([null, "xx", "ZH-Hant-TW", "de"]), "zh");
  assert.equal(pick([null, "../../evil", "constructor"]), "en");
  assert.equal(pick([]), "en");
});

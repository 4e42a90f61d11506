/** Settings on their way to the engine. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { startSettings, toWire } from "./settings.js";

/** @typedef {import("./api.d.ts").Described} Described */

const kind = (/** @type {string} */ name, /** @type {object} */ more) => ({
  name,
  label: name,
  params: [],
  ...more,
});
const described = /** @type {Described} */ (
  /** @type {unknown} */ ({
    processors: [],
    strategies: [kind("sampling", {}), kind("assisted", { draft: true })],
    charts: [],
    orders: [],
  })
);
const tokenize = async () => [];

/** @param {number} n_layer @param {object} patch */
const blocks = async (n_layer, patch) => {
  const settings = { ...startSettings(described), strategy: "assisted", ...patch };
  const wire = await toWire(described, settings, { eos_token_id: -1, n_layer }, tokenize);
  return wire.assistant_early_exit;
};

test("without a word five blocks guess ahead, or all but one", async () => {
  assert.equal(await blocks(12, {}), 5);
  assert.equal(await blocks(6, {}), 5);
  assert.equal(await blocks(4, {}), 3);
  assert.equal(await blocks(2, {}), 1);
});

test("what was said goes to the engine as it is, to be refused there", async () => {
  assert.equal(await blocks(4, { assistant_early_exit: 5 }), 5);
});

test("a strategy that guesses nothing ahead gets no blocks", async () => {
  assert.equal(await blocks(12, { strategy: "sampling", assistant_early_exit: 5 }), 0);
});

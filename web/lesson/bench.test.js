/** Benches on the built engine in Node. Wants `make wasm`. */

import assert from "node:assert/strict";
import test from "node:test";
import { startLessons } from "../../tools/nodeengine/lessons.js";
import { stepAll } from "./steps.js";

const { toys, openBench } = await startLessons();

test("what is refused leaves a bench as it was", async () => {
  const [name] = Object.keys(toys.toys);
  const toy = await openBench({ model: `toy:${name}`, settings: { strategy: "greedy" } });
  const { logits, model } = toy;
  await assert.rejects(toy.setLogits([1, 2]), { code: "bad_model" });
  assert.deepEqual(toy.logits, logits);
  assert.equal(toy.model, model);

  const page = await openBench({ model: "page", prompt: "The cat", settings: {} });
  const { prompt, status } = page;
  await assert.rejects(page.setPrompt(" cat".repeat(2000)), { code: "context_full" });
  assert.deepEqual([page.prompt, page.status], [prompt, status]);
});

test("a step that one bench is refused is taken by the others", async () => {
  const none = { code: "", message: "" };
  const sessions = [
    { session: 1, error: { code: "bad_request", message: "nothing is left" } },
    { session: 2, error: none },
  ];
  /** @type {number[]} */
  const accepted = [];
  const benches = sessions.map(({ session }) => ({
    status: { session, stop: "" },
    accept: (/** @type {{session: number}} */ s) => accepted.push(s.session),
  }));
  const call = async () => ({ sessions });
  const stepping = stepAll(/** @type {any} */ (call), /** @type {any} */ (benches));
  await assert.rejects(stepping, { message: "nothing is left" });
  assert.deepEqual(accepted, [1, 2]);
});

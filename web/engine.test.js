/** The built engine under Node. Wants `make wasm`. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load, loadToy, ofLink, start, write } from "../tools/links/engine.js";

const json = async (/** @type {string} */ name) =>
  JSON.parse(await readFile(new URL(`../wasm/testdata/${name}`, import.meta.url), "utf8"));

for (const file of ["engine.wasm", "engine-nosimd.wasm"])
  for (const pinned of ["pinned.json", "links.json"])
    test(`${file} writes the texts of ${pinned}`, async () => {
      const pins = await json(pinned);
      const call = await start(file);
      const info = await load(call, pins.model);
      assert.equal(info.hash, pins.hash, "another default model than was pinned");
      // Without SIMD it is slow, and every number has been compared with SIMD's.
      const some = file === "engine.wasm" || pinned === "pinned.json" ? 1 : 10;
      for (const pin of pins.cases.filter(
        (/** @type {unknown} */ _, /** @type {number} */ i) => i % some === 0,
      )) {
        const by = pin.toy ? loadToy(call, pin.toy) : info;
        const name = pin.link || pin.prompt;
        if (pin.link) {
          const { prompt, settings } = await ofLink(call, by, pin.link);
          assert.deepEqual({ prompt, settings }, { prompt: pin.prompt, settings: pin.settings });
        }
        assert.deepEqual(write(call, by, pin), { ids: pin.ids, digest: pin.digest }, name);
      }
    });

test("nothing is left of a call: no function is made, and values are let go", async () => {
  const { cases } = await json("pinned.json");
  const settings = { ...cases[0].settings, eos: [] };
  const call = await start("engine.wasm");
  const { model, promptIds: ids } = loadToy(call, "loop");
  /** The most values held at once in so many rounds. @param {number} rounds */
  const most = (rounds) => {
    let held = 0;
    for (let i = 0; i < rounds; i++) {
      const { session } = call("open", { model, ids, settings });
      call("feed", { session, count: 64 });
      call("step", { sessions: [session] });
      call("view", { session, step: -1, rows: 10 });
      assert.throws(() => call("step", { sessions: "none" }));
      assert.throws(() => call("nonsense", {}));
      call("close", { session });
      held = Math.max(held, call.held());
    }
    return held;
  };
  most(50);
  const made = call.functions();
  const first = most(150);
  const second = most(300);
  assert.equal(call.functions(), made);
  assert.ok(second < 1.5 * first, `${first} values held, and ${second} later`);
});

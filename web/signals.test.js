import assert from "node:assert/strict";
import { test } from "node:test";
import { either } from "./signals.js";

for (const first of [true, false])
  test(`the ${first ? "first" : "second"} ends both, with its reason`, () => {
    const [a, b] = [new AbortController(), new AbortController()];
    const both = either(a.signal, b.signal);
    assert.ok(!both.aborted);
    (first ? a : b).abort("why");
    (first ? b : a).abort("later");
    assert.equal(both.reason, "why");
    assert.equal(either(a.signal, b.signal).aborted, true); // that had ended before
  });

import assert from "node:assert/strict";
import test from "node:test";
import { linkInWords } from "./wording.js";

const bare = (/** @type {string} */ text) => text.replace(/[\u2066-\u2069]/g, "");

test("of a link it is told what was left out, a number with its range", () => {
  assert.equal(linkInWords([]), "");
  const words = bare(
    linkInWords([
      "stage gone",
      "draws.again: 999999999999…, want 0 to 1000000",
      "draws.count: 1.5, want a whole number",
    ]),
  );
  assert.ok(
    words.endsWith(
      ": stage gone, draws.again: 999999999999…, want 0 to 1,000,000, draws.count: 1.5, want a whole number.",
    ),
    words,
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { wish } from "./presenter.js";

const plain = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
/** What a key asks for with the focus in an element that these selectors name.
 * @param {string} key @param {string[]} [named] @param {boolean} [mirrored] */
const asks = (key, named = [], mirrored = false) =>
  wish(
    { ...plain, key, defaultPrevented: false },
    { closest: (selector) => named.some((n) => selector.split(", ").includes(n)) },
    mirrored,
  );

test("clicker and keys go forward, back and away", () => {
  for (const key of ["PageDown", "ArrowRight", " ", "Enter"]) assert.equal(asks(key), "forward");
  for (const key of ["PageUp", "ArrowLeft"]) assert.equal(asks(key), "back");
  assert.equal(asks("Escape"), "leave");
  for (const key of ["ArrowDown", "ArrowUp", "Tab", "a", "constructor"])
    assert.equal(asks(key), undefined);
});

test("arrows go with the direction of the page", () => {
  assert.equal(asks("ArrowLeft", [], true), "forward");
  assert.equal(asks("ArrowRight", [], true), "back");
  assert.equal(asks("PageDown", [], true), "forward");
});

test("a control in focus keeps the keys that it uses, and no others", () => {
  const text = "input:not([type=range]):not([type=radio])";
  for (const key of ["PageDown", "ArrowRight", " ", "Enter", "Escape"])
    for (const named of [text, "select", "textarea", "dialog"])
      assert.equal(asks(key, [named]), undefined, `${key} in ${named}`);
  assert.equal(asks("PageDown", ["input[type=range]"]), undefined);
  assert.equal(asks("Escape", ["input[type=range]"]), "leave");
  assert.equal(asks("ArrowRight", ["input[type=radio]"]), undefined);
  assert.equal(asks("PageDown", ["input[type=radio]"]), "forward");
  for (const named of ["button", "a", "summary"]) {
    assert.equal(asks(" ", [named]), undefined);
    assert.equal(asks("Enter", [named]), undefined);
    assert.equal(asks("PageDown", [named]), "forward");
    assert.equal(asks("ArrowRight", [named]), "forward");
  }
  assert.equal(asks("ArrowRight", ["[role=radiogroup]"]), undefined);
  assert.equal(asks("PageDown", ["[role=radiogroup]"]), "forward");
});

test("a key with another, or one that is taken already, asks for nothing", () => {
  for (const held of ["altKey", "ctrlKey", "metaKey", "shiftKey"])
    assert.equal(
      wish({ ...plain, [held]: true, key: "PageDown", defaultPrevented: false }, null, false),
      undefined,
    );
  assert.equal(wish({ ...plain, key: "Escape", defaultPrevented: true }, null, false), undefined);
});

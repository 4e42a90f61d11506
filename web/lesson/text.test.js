import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { link, readLink } from "./link.js";
import { parse, plain } from "./text.js";

/** The pieces in short: kind and text. @param {string} text */
const short = (text) =>
  parse(text).map((p) => `${p.kind}:${p.text}${p.lesson ? `>${p.lesson}` : ""}`);

/** @type {[string, string[]][]} */
const TABLE = [
  ["plain", ["text:plain"]],
  ["", []],
  ["*Top-p* keeps", ["em:Top-p", "text: keeps"]],
  ["the *a*", ["text:the ", "em:a"]],
  ["set `top_k` to 0", ["text:set ", "code:top_k", "text: to 0"]],
  ["see [greedy](lesson:greedy).", ["text:see ", "link:greedy>greedy", "text:."]],
  ["2 * 3 * 4", ["text:2 * 3 * 4"]],
  ["a ** b", ["text:a ** b"]],
  ["`*not*`", ["code:*not*"]],
  ["*open", ["text:*open"]],
  ["`open", ["text:`open"]],
  ["<b>x</b>", ["text:<b>x</b>"]],
  ["*<img src=x onerror=alert(1)>*", ["em:<img src=x onerror=alert(1)>"]],
  ["[x](javascript:alert(1))", ["text:[x](javascript:alert(1))"]],
  ["[x](lesson:javascript:alert(1))", ["text:[x](lesson:javascript:alert(1))"]],
  ['[x](lesson:a"onclick=b)', ['text:[x](lesson:a"onclick=b)']],
  ["[x](https://example.org)", ["text:[x](https://example.org)"]],
  ["[a [b](lesson:c)", ["text:[a ", "link:b>c"]],
  ["![x](lesson:a)", ["text:!", "link:x>a"]],
  ["\0*\u202e*\u0007", ["text:\0", "em:\u202e", "text:\u0007"]],
];

for (const [text, want] of TABLE)
  test(`${JSON.stringify(text)} is ${want.length} pieces`, () => {
    assert.deepEqual(short(text), want);
  });

test("a megabyte of marks is read at once", () => {
  for (const text of ["*", "`", "[", "*a", "[a](lesson:", "* ", "`a`"].map((s) => s.repeat(2e5))) {
    const start = process.cpuUsage();
    const whole = parse(text)
      .map((p) => p.text)
      .join("");
    assert.ok(whole.length > 0 && process.cpuUsage(start).user < 15e6, text.slice(0, 9));
  }
});

test("no module of the lessons writes markup", async () => {
  const folder = new URL("./", import.meta.url);
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".js") || name.endsWith(".test.js")) continue;
    const code = await readFile(new URL(name, folder), "utf8");
    assert.doesNotMatch(
      code,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/,
      name,
    );
  }
});

test("links name a lesson and a step, and nothing else", () => {
  assert.deepEqual(readLink("#lessons"), { lesson: "", step: "" });
  assert.deepEqual(readLink("#lesson=top-p"), { lesson: "top-p", step: "" });
  assert.deepEqual(readLink("#lesson=top-p/slip"), { lesson: "top-p", step: "slip" });
  assert.deepEqual(readLink("#lesson=top-p&step=slip"), { lesson: "top-p", step: "slip" });
  for (const hash of [
    "",
    "#explore?prompt=x",
    "#lesson=",
    "#lesson=A",
    "#lesson=a/../b",
    "#lesson=a/b/c",
  ])
    assert.equal(readLink(hash), null, hash);
  for (const place of [
    ["", ""],
    ["top-p", ""],
    ["top-p", "slip"],
  ])
    assert.deepEqual(readLink(link(...place)), { lesson: place[0], step: place[1] });
});

test("what is spoken has no marks", () => {
  assert.equal(plain("the *a*, `top_k`, [greedy](lesson:greedy)."), "the a, top_k, greedy.");
});

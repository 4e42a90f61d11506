import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { compileEngine } from "./program.js";

/** The smallest module: magic and version. */
const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const fetching = globalThis.fetch;
let asked = 0;

afterEach(() => {
  globalThis.fetch = fetching;
});

/** @param {BodyInit} body @param {string} type */
function serve(body, type) {
  asked = 0;
  globalThis.fetch = async () => {
    asked++;
    return new Response(body, { headers: { "content-type": type } });
  };
}

test("a host that does not know the type is asked once", async () => {
  serve(empty, "application/octet-stream");
  assert.ok((await compileEngine()) instanceof WebAssembly.Module);
  assert.equal(asked, 1);
});

test("what comes with the type is compiled while it comes", async () => {
  serve(empty, "application/wasm");
  assert.ok((await compileEngine()) instanceof WebAssembly.Module);
  assert.equal(asked, 1);
});

test("what is no program is said to be none", async () => {
  for (const type of ["text/html", "application/wasm"]) {
    serve("<!doctype html>", type);
    await assert.rejects(compileEngine(), /engine.*\.wasm: the host answered with no WebAssembly/);
  }
});

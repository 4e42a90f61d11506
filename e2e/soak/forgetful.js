#!/usr/bin/env node
/**
 * Chromium, told to watch no network for its debugger. The runner asks each page for
 * its network's events, and a page then keeps up to 200 MB of what it fetched, and a
 * note of each request for ever, which holds the memory around it: a reader's does
 * not, and here it would hide what the page itself holds.
 */

import { spawn } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import { argv, env, exit } from "node:process";
import { StringDecoder } from "node:string_decoder";

const browser = spawn(env.CHROMIUM ?? "/usr/bin/chromium", argv.slice(2), {
  stdio: ["inherit", "inherit", "inherit", "pipe", "pipe"],
});
browser.on("error", (error) => {
  console.error(error.message);
  exit(1);
});
browser.on("exit", (code) => exit(code ?? 1));

// The runner speaks through two more files, in JSON that ends with a zero.
const [, , , toBrowser, fromBrowser] = /** @type {any[]} */ (browser.stdio);
fromBrowser.pipe(createWriteStream("", { fd: 4 }));
const decoder = new StringDecoder("utf8");
let text = "";
createReadStream("", { fd: 3 })
  .on("data", (chunk) => {
    const messages = (text + decoder.write(/** @type {Buffer} */ (chunk))).split("\0");
    text = messages.pop() ?? "";
    for (const message of messages) toBrowser.write(`${forgetful(message)}\0`);
  })
  .on("end", () => toBrowser.end());

/** @param {string} message */
function forgetful(message) {
  if (!message.includes('"Network.enable"')) return message;
  const call = JSON.parse(message);
  if (call.method !== "Network.enable") return message;
  return JSON.stringify({ ...call, method: "Network.disable", params: {} });
}

import { letGo } from "./body.js";

/** @typedef {import("./decompress.js").Bytes} Bytes */

/**
 * The sha256 of chunks, in hex: by the browser, which takes a tenth of the time
 * that the engine would. Empty where it has none to offer (no https): then the
 * engine hashes what it is given.
 *
 * @param {Bytes[]} chunks
 */
export async function sha256(chunks) {
  if (!globalThis.crypto?.subtle) return "";
  if (chunks.length === 1) return digest(chunks[0]);
  const total = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  let whole = spare.pop();
  if (!whole || whole.length < total) whole = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  const hash = await digest(whole.subarray(0, total));
  spare.push(whole);
  return hash;
}

/** What chunks are joined in, to be used again: as garbage it would lie for long.
 * @type {Bytes[]} */
const spare = [];

/** Lets it go. */
export function dropSpare() {
  for (const { buffer } of spare.splice(0)) letGo(buffer);
}

/** @param {Bytes} bytes */
async function digest(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

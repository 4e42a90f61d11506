/**
 * Reading bodies without leaving a model's bytes to the garbage collector, which
 * takes its time: they go through buffers that are used again.
 */

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const size = 1 << 20;
/** @type {ArrayBuffer[]} */
const free = [];

/** @returns {Bytes} a megabyte to write to */
export const borrow = () => new Uint8Array(free.pop() ?? new ArrayBuffer(size));

/** Takes borrowed chunks back; the list is empty then. Others are no matter.
 * @param {Bytes[]} chunks */
export function giveBack(chunks) {
  for (const { buffer } of chunks.splice(0)) if (buffer.byteLength === size) free.push(buffer);
}

/** Lets all that was given back go. */
export function dropBuffers() {
  for (const buffer of free.splice(0)) letGo(buffer);
}

/** Firefox gives back at once what is cut to nothing; what is cloned, or copied for a
 * reader of bytes, it keeps until it collects garbage. Chromium does it the other way round. */
const cuts = () => Boolean(globalThis.navigator?.userAgent?.includes("Firefox"));

/** Gives a buffer's memory back now, whoever still knows it: Go does, for long.
 * @param {ArrayBuffer} buffer */
export function letGo(buffer) {
  if (cuts()) buffer.transfer?.(0);
  else structuredClone(null, { transfer: [buffer] });
}

/**
 * Reads a body to its end into borrowed chunks.
 *
 * @param {ReadableStream<Bytes>} body
 * @param {(bytes: number) => void} [onBytes]
 * @returns {Promise<Bytes[]>}
 */
export async function readChunks(body, onBytes = () => {}) {
  /** @type {Bytes[]} */
  const chunks = [];
  let chunk = borrow();
  let filled = 0;
  const fill = (/** @type {number} */ bytes) => {
    onBytes(bytes);
    filled += bytes;
    if (filled < size) return;
    chunks.push(chunk);
    chunk = borrow();
    filled = 0;
  };
  const reader = byteReader(body);
  while (reader) {
    const { done, value } = await reader.read(chunk.subarray(filled));
    if (value) chunk = new Uint8Array(value.buffer);
    if (done || !value) break;
    fill(value.length);
  }
  if (!reader) {
    await eachOwnChunk(body, (piece) => {
      for (let at = 0; at < piece.length; ) {
        const some = piece.subarray(at, at + size - filled);
        chunk.set(some, filled);
        fill(some.length);
        at += some.length;
      }
    });
  }
  chunks.push(chunk.subarray(0, filled));
  return chunks;
}

/** @param {ReadableStream<Bytes>} body @param {(chunk: Bytes) => void} onChunk */
async function eachOwnChunk(body, onChunk) {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onChunk(value);
    if (cuts()) letGo(value.buffer);
  }
}

/** @param {ReadableStream<Bytes>} body */
function byteReader(body) {
  if (cuts()) return null;
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    return null; // this browser has no streams of bytes here
  }
}

/**
 * Decompression in script, for hosts that send compressed files without saying
 * so. Data goes in and out in pieces: a part is never joined.
 */

import { borrow, giveBack, readChunks } from "./body.js";
import { LoadError } from "./loaderror.js";
import { workerURL } from "./trusted.js";

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/**
 * Takes off what the host left on, until the length is right. What is taken off
 * is given back.
 *
 * @param {Bytes[]} chunks
 * @param {import("./api.d.ts").Part} part
 */
export async function unwrap(chunks, part) {
  const came = sizeOf(chunks);
  for (let layer = 0; sizeOf(chunks) !== part.bytes && layer < 3; layer++) {
    try {
      const decoded = await (isGzip(chunks) ? gunzip(chunks) : unbrotli(chunks, part.bytes));
      giveBack(chunks);
      chunks = decoded;
    } catch (error) {
      const { code, message } = /** @type {LoadError} */ (error);
      if (code === "unsupported") throw error;
      const want = part.codedBytes ? `${part.codedBytes} or ${part.bytes}` : `${part.bytes}`;
      throw new LoadError(
        "bad_model",
        `${part.file}: ${came} bytes came, want ${want} (${message})`,
      );
    }
  }
  if (sizeOf(chunks) === part.bytes) return chunks;
  throw new LoadError("bad_model", `${part.file}: ${sizeOf(chunks)} bytes, want ${part.bytes}`);
}

/** @param {Bytes[]} chunks */
const sizeOf = (chunks) => chunks.reduce((sum, chunk) => sum + chunk.length, 0);

/** @param {Bytes[]} chunks */
function isGzip(chunks) {
  const [first = new Uint8Array(0)] = chunks;
  return first[0] === 0x1f && first[1] === 0x8b;
}

/** @param {Bytes[]} chunks */
const gunzip = (chunks) => through(new DecompressionStream("gzip"), chunks);

/**
 * Brotli: by the browser where it can, else by small Go programs in workers of
 * their own.
 *
 * @param {Bytes[]} chunks
 * @param {number} [expected] bytes
 * @returns {Promise<Bytes[]>}
 */
export async function unbrotli(chunks, expected = 0) {
  let stream;
  try {
    stream = new DecompressionStream(/** @type {CompressionFormat} */ ("brotli"));
  } catch {
    return inWorker(chunks, expected);
  }
  return through(stream, chunks);
}

/** @param {DecompressionStream} stream @param {Bytes[]} chunks */
async function through(stream, chunks) {
  const feed = async () => {
    const writer = stream.writable.getWriter();
    for (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  };
  const body = /** @type {ReadableStream<Bytes>} */ (stream.readable);
  const [decoded] = await Promise.all([readChunks(body), feed()]);
  return decoded;
}

/**
 * @typedef {object} Job
 * @property {Bytes[]} coded
 * @property {number} expected
 * @property {(decoded: Bytes[]) => void} resolve
 * @property {(error: Error) => void} reject
 */

/** Workers that have nothing to do, all there are, and jobs that wait for one. */
const idle = /** @type {Worker[]} */ ([]);
const workers = /** @type {Set<Worker>} */ (new Set());
const waiting = /** @type {Job[]} */ ([]);

/** @param {Bytes[]} coded @param {number} expected @returns {Promise<Bytes[]>} */
function inWorker(coded, expected) {
  return new Promise((resolve, reject) => {
    waiting.push({ coded, expected, resolve, reject });
    next();
  });
}

/** How many decode side by side: each has some 25 MB of its own, and a core. */
const most = () => ((navigator.hardwareConcurrency || 2) < 4 ? 1 : 2);

function next() {
  if (!waiting.length) return;
  const worker = idle.pop() ?? (workers.size < most() ? start() : null);
  if (worker) run(worker, /** @type {Job} */ (waiting.shift()));
}

function start() {
  const worker = new Worker(workerURL("unbrotli.worker.js"), { type: "module" });
  workers.add(worker);
  return worker;
}

/** @param {Worker} worker @param {Job} job */
function run(worker, { coded, expected, resolve, reject }) {
  const into = [borrow()];
  for (let room = into[0].length; room < expected; room += into[0].length) into.push(borrow());
  worker.onmessage = ({ data: { decoded, error, coded } }) => {
    idle.push(worker);
    giveBack(coded);
    if (error === undefined) resolve(decoded);
    else reject(new Error(error));
    next();
  };
  worker.onerror = () => {
    workers.delete(worker);
    reject(new LoadError("unsupported", "this browser can't decode the model's files"));
    next();
  };
  const buffers = new Set([...coded, ...into].map((chunk) => chunk.buffer));
  worker.postMessage({ coded, into }, [...buffers]);
}

/** Ends the workers that have nothing to do: their memory never shrinks. */
export function releaseWorkers() {
  for (const worker of idle.splice(0)) {
    worker.terminate();
    workers.delete(worker);
  }
}

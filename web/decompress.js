/**
 * Decompression in script, for hosts that send compressed files without
 * saying so.
 */

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

/** @param {Bytes} bytes */
export const gunzip = (bytes) => through(new DecompressionStream("gzip"), bytes);

/**
 * Brotli: by the browser where it can, else by a small Go program in a worker
 * of its own.
 *
 * @param {Bytes} bytes
 */
export async function unbrotli(bytes) {
  let stream;
  try {
    stream = new DecompressionStream(/** @type {CompressionFormat} */ ("brotli"));
  } catch {
    return unbrotliInWorker(bytes);
  }
  return through(stream, bytes);
}

/** @param {DecompressionStream} stream @param {Bytes} bytes */
async function through(stream, bytes) {
  const body = new Response(bytes).body;
  const decoded = /** @type {ReadableStream} */ (body).pipeThrough(stream);
  return new Uint8Array(await new Response(decoded).arrayBuffer());
}

/** @type {Worker | undefined} */
let worker;
/** @type {Map<number, {resolve: (b: Bytes) => void, reject: (e: Error) => void}>} */
const pending = new Map();
let nextID = 1;

/** @param {Bytes} bytes @returns {Promise<Bytes>} */
function unbrotliInWorker(bytes) {
  worker ??= startWorker();
  const id = nextID++;
  return new Promise((resolve, reject) => {
    pending.set(id, { resolve, reject });
    worker?.postMessage({ id, bytes }, [bytes.buffer]);
  });
}

/** Takes {id, bytes}, answers {id, bytes} or {id, error}. */
function startWorker() {
  const started = new Worker(new URL("./unbrotli.worker.js", import.meta.url), { type: "module" });
  started.onmessage = ({ data: { id, bytes, error } }) => {
    const call = pending.get(id);
    pending.delete(id);
    if (error === undefined) call?.resolve(bytes);
    else call?.reject(new Error(error));
  };
  started.onerror = () => {
    const error = Object.assign(new Error("this browser can't decode the model's files"), {
      code: "unsupported",
    });
    for (const call of pending.values()) call.reject(error);
    pending.clear();
    worker = undefined;
  };
  return started;
}

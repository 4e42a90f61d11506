/**
 * Fetches the files of a model folder. A host may send a part decoded by the
 * browser (Content-Encoding), as the brotli file it is, or wrapped once more;
 * it may also send an HTML page with status 200, or half a file. What counts
 * is what came, not what the headers say.
 */

import { gunzip, unbrotli } from "./decompress.js";

/**
 * @typedef {import("./api.d.ts").Part} Part
 * @typedef {import("./decompress.js").Bytes} Bytes
 */

/** An error with one of the codes in engine.js. */
export class LoadError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {boolean} [lasting] whether trying again is of no use
   */
  constructor(code, message, lasting = false) {
    super(message);
    this.code = code;
    this.lasting = lasting;
  }
}

const waits = [500, 1500, 4000]; // ms before each further try

/**
 * @param {string} url
 * @param {AbortSignal} signal
 */
export function fetchText(url, signal) {
  return withRetries(signal, async () => {
    const bytes = await download(url, { signal });
    return new TextDecoder().decode(bytes);
  });
}

/**
 * Gives the decoded bytes of a part to take, and tries again when it refuses
 * them.
 *
 * @param {URL} folder
 * @param {Part} part
 * @param {{signal: AbortSignal, onWire: (n: number) => void, onShare: (x: number) => void,
 *   take: (bytes: Bytes) => Promise<void>}} options
 */
export async function fetchPart(folder, part, { signal, onWire, onShare, take }) {
  const url = new URL(part.codedFile || part.file, folder).href;
  await withRetries(signal, async () => {
    let got = 0;
    const onChunk = (/** @type {number} */ n, /** @type {boolean} */ encoded) => {
      got += n;
      onWire(n);
      const coded = !encoded && part.codedBytes > 0 && got <= part.codedBytes;
      onShare(got / (coded ? part.codedBytes : part.bytes));
    };
    const bytes = await download(url, { signal, onChunk });
    await take(await unwrap(bytes, part));
  });
}

/**
 * Takes off what the host left on, until the length is right.
 *
 * @param {Bytes} bytes
 * @param {Part} part
 */
async function unwrap(bytes, part) {
  const came = bytes.length;
  for (let layer = 0; bytes.length !== part.bytes && layer < 3; layer++) {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    try {
      bytes = await (isGzip ? gunzip(bytes) : unbrotli(bytes));
    } catch (error) {
      if (/** @type {any} */ (error).code === "unsupported") throw error;
      const want = part.codedBytes ? `${part.codedBytes} or ${part.bytes}` : `${part.bytes}`;
      const why = /** @type {Error} */ (error).message;
      throw new LoadError("bad_model", `${part.file}: ${came} bytes came, want ${want} (${why})`);
    }
  }
  return bytes;
}

/**
 * The body of a good answer. A page of HTML is none.
 *
 * @param {string} url
 * @param {{signal: AbortSignal, onChunk?: (n: number, encoded: boolean) => void}} options
 */
async function download(url, { signal, onChunk }) {
  const name = new URL(url).pathname;
  let response;
  try {
    // The browser's HTTP cache would keep a second copy, and some abort on big files.
    response = await fetch(url, { cache: "no-store", signal });
  } catch (error) {
    throw new LoadError(
      "network",
      `${name}: the host can't be reached (${/** @type {Error} */ (error).message})`,
    );
  }
  if (!response.ok) {
    const lasting =
      response.status >= 400 && response.status < 500 && ![408, 425, 429].includes(response.status);
    throw new LoadError("network", `${name}: the host answered ${response.status}`, lasting);
  }
  if (response.headers.get("content-type")?.startsWith("text/html")) {
    await response.body?.cancel();
    throw new LoadError(
      "network",
      `${name}: the host answered with a web page instead of the file`,
      true,
    );
  }
  const encoded = response.headers.has("content-encoding");
  try {
    return await readAll(response, (n) => onChunk?.(n, encoded));
  } catch (error) {
    throw new LoadError(
      "network",
      `${name}: the connection broke (${/** @type {Error} */ (error).message})`,
    );
  }
}

/** @param {Response} response @param {(n: number) => void} onChunk */
async function readAll(response, onChunk) {
  if (!response.body) return new Uint8Array(await response.arrayBuffer());
  /** @type {Bytes[]} */
  const chunks = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
    onChunk(value.length);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/**
 * @template T
 * @param {AbortSignal} signal
 * @param {() => Promise<T>} attempt
 * @returns {Promise<T>}
 */
async function withRetries(signal, attempt) {
  for (let i = 0; ; i++) {
    try {
      return await attempt();
    } catch (error) {
      const { code, lasting } = /** @type {LoadError} */ (error);
      const again = !lasting && (code === "network" || code === "bad_model");
      if (signal.aborted || !again || i === waits.length) throw error;
      await pause(waits[i] * (1 + Math.random() / 4), signal);
    }
  }
}

/** Ends early when signal does.
 * @param {number} ms @param {AbortSignal} signal */
function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    function end() {
      clearTimeout(timer);
      resolve(undefined);
    }
  });
}

/**
 * A model folder on a host. A host may send a part decoded by the browser
 * (Content-Encoding), as the brotli file it is, or wrapped once more; it may
 * also send an HTML page with status 200, or half a file. What counts is what
 * came, not what the headers say.
 */

import { giveBack, readChunks } from "./body.js";
import { unwrap } from "./decompress.js";
import { LoadError } from "./loaderror.js";
import { either } from "./signals.js";

/**
 * @typedef {import("./api.d.ts").Part} Part
 * @typedef {import("./decompress.js").Bytes} Bytes
 * @typedef {import("./progress.js").PartProgress} PartProgress
 *
 * @typedef {object} Source where a model comes from
 * @property {string} url of its manifest: what the store knows it by; empty: by its hash
 * @property {(signal: AbortSignal, insist: boolean) => Promise<string>} manifest
 * @property {(part: Part, options: Taking) => Promise<void>} part
 *
 * @typedef {object} Taking
 * @property {AbortSignal} signal
 * @property {PartProgress} progress
 * @property {boolean} stored whether the store keeps the part
 * @property {(chunks: Bytes[]) => Promise<void>} take gets the decoded part, and may refuse it
 */

const waits = [500, 1500, 4000]; // ms before each further try
const patience = 30_000; // ms without a byte

/** @param {string} folder @returns {Source} */
export function webSource(folder) {
  const base = folder.endsWith("/") ? folder : `${folder}/`;
  const url = new URL("manifest.json", base).href;
  return {
    url,
    manifest(signal, insist) {
      const attempt = async () => new Blob(await download(url, { signal })).text();
      return insist ? withRetries(signal, attempt) : attempt();
    },
    part: (part, { signal, progress, stored, take }) =>
      withRetries(signal, async (again) => {
        let got = 0;
        const onChunk = (/** @type {number} */ n, /** @type {boolean} */ encoded) => {
          got += n;
          const coded = !encoded && part.codedBytes > 0 && got <= part.codedBytes;
          progress.came(n, got / (coded ? part.codedBytes : part.bytes));
        };
        const from = new URL(part.codedFile || part.file, base).href;
        // The browser's own cache would keep a second copy, and some abort on big files; but
        // it is all that the next frame has where nothing can be stored.
        const cache = stored ? "no-store" : again ? "reload" : "default";
        const chunks = await unwrap(await download(from, { signal, cache, onChunk }), part);
        try {
          await take(chunks);
        } finally {
          giveBack(chunks);
        }
      }),
  };
}

/**
 * The body of a good answer, in pieces. A page of HTML is none.
 *
 * @param {string} url
 * @param {{signal: AbortSignal, cache?: RequestCache, onChunk?: (n: number, encoded: boolean) => void}} options
 */
async function download(url, { signal, cache = "no-store", onChunk }) {
  const name = new URL(url).pathname;
  const stalled = new AbortController();
  const watch = createWatch(() => stalled.abort());
  const broke = (/** @type {string} */ how, /** @type {unknown} */ error) =>
    new LoadError(
      "network",
      stalled.signal.aborted
        ? `${name}: the host sent nothing for ${patience / 1000} seconds`
        : `${name}: ${how} (${/** @type {Error} */ (error).message})`,
    );
  try {
    let response;
    try {
      response = await fetch(url, { cache, signal: either(signal, stalled.signal) });
    } catch (error) {
      throw broke("the host can't be reached", error);
    }
    await checkAnswer(response, name);
    const encoded = response.headers.has("content-encoding");
    try {
      return await readChunks(bodyOf(response), (n) => {
        watch.feed();
        onChunk?.(n, encoded);
      });
    } catch (error) {
      throw broke("the connection broke", error);
    }
  } finally {
    watch.end();
  }
}

/** @param {Response} response @param {string} name */
async function checkAnswer(response, name) {
  const { status } = response;
  if (!response.ok) {
    const lasting = status >= 400 && status < 500 && ![408, 425, 429].includes(status);
    throw new LoadError("network", `${name}: the host answered ${status}`, lasting);
  }
  if (response.headers.get("content-type")?.startsWith("text/html")) {
    await response.body?.cancel();
    const message = `${name}: the host answered with a web page instead of the file`;
    throw new LoadError("network", message, true);
  }
}

/** @param {Response} response */
const bodyOf = (response) =>
  /** @type {ReadableStream<Bytes>} */ (response.body ?? new Blob().stream());

/** Calls back when it was not fed for too long. @param {() => void} onHunger */
function createWatch(onHunger) {
  let timer = setTimeout(onHunger, patience);
  return {
    feed() {
      clearTimeout(timer);
      timer = setTimeout(onHunger, patience);
    },
    end: () => clearTimeout(timer),
  };
}

/**
 * @template T
 * @param {AbortSignal} signal
 * @param {(again: boolean) => Promise<T>} attempt
 * @returns {Promise<T>}
 */
async function withRetries(signal, attempt) {
  for (let i = 0; ; i++) {
    try {
      return await attempt(i > 0);
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

/**
 * A model from files of this device: a packed folder as it is, or a checkpoint
 * (config.json and safetensors), which a worker packs first. Runs in the
 * engine's worker.
 */

import { unwrap } from "./decompress.js";
import { LoadError } from "./loaderror.js";
import { workerURL } from "./trusted.js";

/**
 * @typedef {import("./api.d.ts").Part} Part
 * @typedef {import("./decompress.js").Bytes} Bytes
 * @typedef {import("./fetch.js").Source} Source
 *
 * @typedef {object} Packing
 * @property {number} bits
 * @property {string} folder that the files lie in, where that is known
 * @property {AbortSignal} signal
 * @property {(share: number) => void} onShare
 * @property {(part: Part, bytes: Bytes) => Promise<void>} take
 */

const scheme = "own:";

/** @param {string} url */
export const isOwn = (url) => url.startsWith(scheme);

/** The address of a model that is only here. @param {string} hash */
export const ownURL = (hash) => scheme + hash;

/** @param {File[]} files */
export const isPacked = (files) => files.some((file) => file.name === "manifest.json");

/**
 * What was packed here: its parts lie in the store, or in held while nothing
 * can be stored.
 *
 * @param {string} url
 * @param {string} [manifest]
 * @param {Map<string, Bytes>} [held] by sha256
 * @returns {Source}
 */
export function ownSource(url, manifest, held = new Map()) {
  const gone = (/** @type {string} */ what) =>
    new LoadError("bad_model", `${what}: not on this device any more`, true);
  return {
    url,
    async manifest() {
      if (manifest === undefined) throw gone("the model"); // the loader knows the stored one
      return manifest;
    },
    async part(part, { take }) {
      const bytes = held.get(part.sha256);
      if (!bytes) throw gone(part.file);
      await take([bytes]);
      held.delete(part.sha256);
    },
  };
}

/**
 * A packed folder.
 *
 * @param {File[]} files
 * @returns {Source}
 */
export function fileSource(files) {
  const named = new Map(files.map((file) => [file.name, file]));
  return {
    url: "",
    manifest: () => textOf(named, "manifest.json"),
    async part(part, { take }) {
      const name = named.has(part.codedFile) ? part.codedFile : part.file;
      const bytes = await contentOf(named, name, (file) => file.arrayBuffer());
      await take(await unwrap([new Uint8Array(bytes)], part));
    },
  };
}

/** @param {Map<string, File>} named @param {string} name */
const textOf = (named, name) => contentOf(named, name, (file) => file.text());

/**
 * @template T
 * @param {Map<string, File>} named
 * @param {string} name
 * @param {(file: File) => Promise<T>} read
 */
async function contentOf(named, name, read) {
  const file = named.get(name);
  if (!file) throw new LoadError("bad_model", `${name}: missing`, true);
  try {
    return await read(file);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    throw new LoadError("bad_model", `${name}: can't be read (${message})`, true);
  }
}

/**
 * Packs a checkpoint and gives its manifest.
 *
 * @param {File[]} files
 * @param {Packing} packing
 * @returns {Promise<string>}
 */
export async function packFiles(files, { bits, folder, signal, onShare, take }) {
  const named = new Map(files.map((file) => [file.name, file]));
  const weights = await weightsOf(named);
  if (!weights.length) {
    const names = folder || files.map((file) => file.name).join(", ");
    const message = `${names}: want config.json and model.safetensors, or a packed folder`;
    throw new LoadError("bad_model", message, true);
  }
  const own = named.has("vocab.json") || named.has("merges.txt");
  const checkpoint = {
    config: await textOf(named, "config.json"),
    name: folder || weights[0].name.replace(/(-\d+-of-\d+)?\.safetensors$/, ""),
    bits,
    group: 64,
    files: weights,
    vocab: own ? await textOf(named, "vocab.json") : "",
    merges: own ? await textOf(named, "merges.txt") : "",
  };
  return inWorker(checkpoint, { signal, onShare, take });
}

/**
 * The files of the weights: as in transformers, model.safetensors or else those that
 * its index names; without both, all there are.
 *
 * @param {Map<string, File>} named
 */
async function weightsOf(named) {
  const whole = "model.safetensors";
  const index = `${whole}.index.json`;
  const all = [...named.values()].filter((file) => file.name.endsWith(".safetensors"));
  if (named.has(whole) || !named.has(index))
    return all.filter((file) => !named.has(whole) || file.name === whole);
  const shards = shardsOf(await textOf(named, index));
  const gone = shards.filter((name) => !named.has(name));
  if (gone.length)
    throw new LoadError("bad_model", `${gone.join(", ")}: missing, but named in ${index}`, true);
  return shards.length ? all.filter((file) => shards.includes(file.name)) : all;
}

/** @param {string} index @returns {string[]} */
function shardsOf(index) {
  try {
    return [...new Set(Object.values(JSON.parse(index).weight_map).map(String))];
  } catch {
    throw new LoadError("bad_model", "model.safetensors.index.json: no weight_map in it", true);
  }
}

/**
 * @param {object} checkpoint
 * @param {Omit<Packing, "bits" | "folder">} packing
 * @returns {Promise<string>}
 */
function inWorker(checkpoint, { signal, onShare, take }) {
  const worker = new Worker(workerURL("pack.worker.js"), { type: "module" });
  /** @type {Promise<string>} */
  const done = new Promise((resolve, reject) => {
    const cancel = () => reject(new LoadError("cancelled", "packing: cancelled"));
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel, { once: true });
    worker.onerror = () =>
      reject(new LoadError("unsupported", "this browser can't pack a model: no module workers"));
    worker.onmessage = async ({ data }) => {
      if (data.error !== undefined) return reject(new LoadError("bad_model", data.error, true));
      if (data.manifest !== undefined) return resolve(data.manifest);
      const { part, bytes, share } = data;
      try {
        await take({ ...part, codedFile: "", codedBytes: 0, codedSha256: "" }, bytes);
        onShare(share);
        worker.postMessage({ next: true });
      } catch (error) {
        reject(error);
      }
    };
    worker.postMessage(checkpoint);
  });
  return done.finally(() => worker.terminate());
}

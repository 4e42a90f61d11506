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
      const file = named.get(part.codedFile) ?? named.get(part.file);
      if (!file) throw new LoadError("bad_model", `${part.codedFile || part.file}: missing`, true);
      await take(await unwrap([new Uint8Array(await file.arrayBuffer())], part));
    },
  };
}

/** @param {Map<string, File>} named @param {string} name */
async function textOf(named, name) {
  const file = named.get(name);
  if (!file) throw new LoadError("bad_model", `${name}: missing`, true);
  return file.text();
}

/**
 * Packs a checkpoint and gives its manifest.
 *
 * @param {File[]} files
 * @param {Packing} packing
 * @returns {Promise<string>}
 */
export async function packFiles(files, { bits, signal, onShare, take }) {
  const named = new Map(files.map((file) => [file.name, file]));
  const weights = files.filter((file) => file.name.endsWith(".safetensors"));
  if (!weights.length) {
    const names = files.map((file) => file.name).join(", ");
    const message = `${names}: want config.json and model.safetensors, or a packed folder`;
    throw new LoadError("bad_model", message, true);
  }
  const own = named.has("vocab.json") || named.has("merges.txt");
  const checkpoint = {
    config: await textOf(named, "config.json"),
    name: nameOf(weights[0]),
    bits,
    group: 64,
    files: weights,
    vocab: own ? await textOf(named, "vocab.json") : "",
    merges: own ? await textOf(named, "merges.txt") : "",
  };
  return inWorker(checkpoint, { signal, onShare, take });
}

/** A folder's name says more than "model". @param {File} file */
function nameOf(file) {
  const [folder = ""] = (file.webkitRelativePath ?? "").split("/");
  return folder || file.name.replace(/\.safetensors$/, "");
}

/**
 * @param {object} checkpoint
 * @param {Omit<Packing, "bits">} packing
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

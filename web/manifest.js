/** @typedef {import("./api.d.ts").Part} Part */

/** A name that leads nowhere but into the model's folder. @param {unknown} name */
const isPlain = (name) => typeof name === "string" && /^[\w-]+(\.[\w-]+)*$/.test(name);

/**
 * The parts that a manifest.json names, for who can't wait until the engine has
 * checked it; null where they are not what one would ask for unchecked.
 *
 * @param {string} manifest
 * @returns {Part[] | null}
 */
export function partsOf(manifest) {
  try {
    /** @type {any[]} */
    const named = JSON.parse(manifest).parts;
    const parts = named.map((p) => ({
      file: p.file,
      bytes: p.bytes,
      sha256: p.sha256,
      codedFile: p.coded_file ?? "",
      codedBytes: p.coded_bytes ?? 0,
      codedSha256: p.coded_sha256 ?? "",
    }));
    const good = parts.every(
      (p) => isPlain(p.codedFile || p.file) && Number.isSafeInteger(p.bytes) && isPlain(p.sha256),
    );
    return good ? parts : null;
  } catch {
    return null;
  }
}

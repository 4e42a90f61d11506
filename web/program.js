/**
 * The engine's program, compiled while it comes. The page does it: its worker is
 * there only when its own scripts are, and a new worker takes the same program.
 */

/** @returns {Promise<WebAssembly.Module>} */
export async function compileEngine() {
  if (typeof WebAssembly !== "object")
    throw Object.assign(new Error("this browser runs no WebAssembly"), { code: "unsupported" });
  const file = hasSIMD() ? "engine.wasm" : "engine-nosimd.wasm";
  const url = new URL(file, import.meta.url);
  const response = await ask(url);
  if (!response.headers.get("content-type")?.startsWith("application/wasm"))
    return compile(await response.arrayBuffer(), url);
  try {
    return await WebAssembly.compileStreaming(response); // a clone of it would stay in memory
  } catch {
    return compile(await (await ask(url)).arrayBuffer(), url);
  }
}

/** @param {URL} url */
async function ask(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname}: the host answered ${response.status}`);
  return response;
}

/**
 * Compiles what has not the right type, or is no program: it may be a .br file
 * without its header.
 *
 * @param {ArrayBuffer} body
 * @param {URL} url
 */
async function compile(body, url) {
  /** @type {Uint8Array<ArrayBuffer>} */
  let bytes = new Uint8Array(body);
  const isWasm = () => bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73;
  if (!isWasm()) {
    const { unbrotli, releaseWorkers } = await import("./decompress.js");
    const decoded = await unbrotli([bytes.slice()]).catch(() => [bytes]);
    releaseWorkers();
    bytes = new Uint8Array(await new Blob(decoded).arrayBuffer());
  }
  if (!isWasm()) throw new Error(`${url.pathname}: the host answered with no WebAssembly file`);
  return WebAssembly.compile(bytes);
}

/** A module of one function with a vector in it: valid only where SIMD is known. */
function hasSIMD() {
  // biome-ignore format: bytes of a module, section by section
  return WebAssembly.validate(new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, // magic, version
    1, 5, 1, 96, 0, 1, 123, // type: () -> v128
    3, 2, 1, 0, // function
    10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11, // i32.const 0, i8x16.splat, i8x16.popcnt
  ]));
}

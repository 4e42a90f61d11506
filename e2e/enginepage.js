/**
 * The engine alone, in a page with nothing else: what a load does is told by its
 * progress, its result, the host's list of requests and the browser's store.
 */

/**
 * @typedef {object} Load
 * @property {string} error its code and message; empty where it went well
 * @property {import("../web/engine.js").Progress[]} progress
 */

/**
 * @param {import("@playwright/test").Page} page
 * @param {string} site
 * @param {string} model address of its folder
 */
export async function createEnginePage(page, site, model) {
  await page.goto(new URL("licences.txt", site).href);
  await page.evaluate(async () => {
    const [version] = /v-[0-9a-f]+/.exec(await (await fetch("./")).text()) ?? [];
    const { createEngine } = await import(new URL(`${version}/engine.js`, location.href).href);
    Object.assign(window, { engine: createEngine() });
  });

  return {
    page,

    /** Loads the model and lets it go again. @returns {Promise<Load>} */
    load: () =>
      page.evaluate(async (url) => {
        /** @type {any} */
        const world = window;
        world.progress = [];
        world.abort = new AbortController();
        const onProgress = (/** @type {any} */ p) => world.progress.push(p);
        const options = { onProgress, signal: world.abort.signal };
        try {
          const info = await world.engine.loadModel(url, options);
          await world.engine.call("modelClose", { model: info.model });
          return { error: "", progress: world.progress };
        } catch (error) {
          const { code, message } = /** @type {any} */ (error);
          return { error: `${code}: ${message}`, progress: world.progress };
        }
      }, model),

    /** What was told so far. @returns {Promise<Load["progress"]>} */
    progress: () => page.evaluate(() => /** @type {any} */ (window).progress ?? []),

    cancel: () => page.evaluate(() => /** @type {any} */ (window).abort.abort()),

    /** The hashes that parts lie under, and those of what lies there, where they differ. */
    stored: () =>
      page.evaluate(async () => {
        const cache = await caches.open("models-1");
        const parts = [];
        const broken = [];
        for (const { url } of await cache.keys()) {
          const name = new URL(url).pathname.slice("/.models/".length);
          if (name.includes("/")) continue;
          parts.push(name);
          const bytes = await (await cache.match(url))?.arrayBuffer();
          const sum = new Uint8Array(
            await crypto.subtle.digest("SHA-256", /** @type {any} */ (bytes)),
          );
          const hex = [...sum].map((b) => b.toString(16).padStart(2, "0")).join("");
          if (hex !== name) broken.push(name);
        }
        return { parts, broken };
      }),

    /** Empties the browser's store. */
    clear: () =>
      page.evaluate(async () => {
        // Not the caches themselves: the worker holds them open.
        for (const name of await caches.keys()) {
          const cache = await caches.open(name);
          for (const key of await cache.keys()) await cache.delete(key);
        }
      }),
  };
}

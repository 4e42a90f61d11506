/**
 * Keeps the site, so that a later visit works without its host. The tool that
 * assembles the site writes a line before this file: its version, and what to
 * keep. Files under v-HASH never change and come from the cache; pages come from
 * the host while it answers, so that a new version is seen at once. Models are
 * not kept here: the loader keeps them.
 */

const worker =
  /** @type {ServiceWorkerGlobalScope & {site?: {version: string, files: string[], later: string[]}}} */ (
    /** @type {unknown} */ (self)
  );
const { version, files, later } = worker.site ?? { version: "", files: [], later: [] };
const scope = worker.registration.scope;
/** Several sites may lie on one host. */
const prefix = `site ${scope} `;
const own = prefix + version;

/** Versions that are kept: a page that was open before still loads from its own. */
const KEPT = 2;
/** Files that are asked for at once: the page that is open may want some, too. */
const TOGETHER = 4;
/** A host that takes longer to send the whole of a page that is kept counts as gone, ms. */
const PATIENCE = 4000;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", (event) => event.waitUntil(keepLater()));
worker.addEventListener("fetch", (event) => {
  const { method, url, mode } = event.request;
  if (!version || method !== "GET" || !url.startsWith(scope)) return;
  const name = url.slice(scope.length).replace(/[?#].*/s, "");
  if (/^v-\w+\//.test(name)) event.respondWith(fixedFile(event.request));
  else if (mode === "navigate" || files.includes(name))
    event.respondWith(freshFile(event.request, name));
});

async function install() {
  const cache = await caches.open(own);
  // A page must be of this version, not what the browser has from an older one.
  const requests = files.map(
    (name) => new Request(scope + name, { cache: isFixed(name) ? "default" : "reload" }),
  );
  try {
    for (let at = 0; at < requests.length; at += TOGETHER)
      await cache.addAll(requests.slice(at, at + TOGETHER));
  } catch (error) {
    await caches.delete(own); // a part of a site is none
    throw error;
  }
  await worker.skipWaiting();
}

async function activate() {
  // keys() has the oldest first.
  const sites = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== own);
  const gone = sites.slice(0, Math.max(0, sites.length - KEPT + 1));
  await Promise.all(gone.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/**
 * A page asks for it. Chromium compiles all of a script that is kept while the worker
 * installs itself, for the next visit; for these that takes too much memory.
 */
async function keepLater() {
  const cache = await caches.open(own);
  for (const name of later)
    if (!(await cache.match(scope + name))) await cache.add(scope + name).catch(() => {}); // next time
}

/** @param {string} name */
const isFixed = (name) => name.startsWith("v-");

/** From the cache, else from the host, and kept then. @param {Request} request */
async function fixedFile(request) {
  const kept = await caches.match(request, { ignoreVary: true });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok && request.url.startsWith(`${scope}${version}/`)) {
    const cache = await caches.open(own);
    await cache.put(request, answer.clone()).catch(() => {}); // no room: it works without
  }
  return answer;
}

/** From the host while it answers, else from the cache. @param {Request} request @param {string} name */
async function freshFile(request, name) {
  const cache = await caches.open(own);
  const kept = await cache.match(scope + (name || "index.html"), { ignoreVary: true });
  if (!kept) return fetch(request);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE);
  try {
    const answer = await fetch(request, { signal: late.signal });
    await answer.clone().arrayBuffer(); // ended later, it would be a part of a page
    if (answer.status < 500) return answer;
  } catch {
    // The host is gone; what is kept takes its place.
  } finally {
    clearTimeout(timer);
  }
  return kept;
}

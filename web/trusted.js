/**
 * Trusted Types: the policy of the site lets no plain text become markup or the
 * address of a script. What little of that is needed is made here, from names
 * that stand in the code.
 */

/** @typedef {"worker.js" | "unbrotli.worker.js" | "pack.worker.js" | "serviceworker.js"} Script */

const scripts = ["worker.js", "unbrotli.worker.js", "pack.worker.js", "serviceworker.js"];

/** @type {{createPolicy: (name: string, rules: object) => any} | undefined} */
const types = /** @type {any} */ (globalThis).trustedTypes;

const rules = {
  /** @param {string} url */
  createScriptURL(url) {
    const name = url.slice(url.lastIndexOf("/") + 1);
    const own = [new URL(name, import.meta.url).href, name];
    if (scripts.includes(name) && own.includes(url)) return url;
    throw new TypeError(`${url}: no script of this site`);
  },
};
const policy = types?.createPolicy("playground", rules) ?? rules;

/** The address of a worker beside this file. @param {Script} name @returns {URL} */
export const workerURL = (name) => policy.createScriptURL(new URL(name, import.meta.url).href);

/** The service worker lies beside the page. @returns {string} */
export const serviceWorkerURL = () => policy.createScriptURL("serviceworker.js");

/** ECharts empties elements by way of their markup: that much is let through, and no more. */
export function letEmpty() {
  types?.createPolicy("default", {
    createHTML: (/** @type {string} */ html) => (html === "" ? html : null),
  });
}

/**
 * What every test stands on: the built server, and a context that fails the
 * test when a page logs an error, throws, or asks another host for anything.
 *
 * `test` has a browser's first visit to itself. `keptTest` has the page that
 * the file's last test left, with its engine and model in place, which is most
 * of what a visit costs: it is for tests that change nothing but what an
 * address holds, or put back what they change.
 */

import { test as base } from "@playwright/test";
import { startFaultyHost } from "./faulty.js";
import { createKeptPlayground, createPlayground } from "./playground.js";
import { startServer } from "./server.js";

export { expect } from "@playwright/test";

const nothing = /(?!)/;

/**
 * @typedef {object} TestFixtures
 * @property {RegExp} allowedErrors console messages that the test provokes
 * @property {ReturnType<typeof createPlayground>} playground
 * @property {import("./faulty.js").FaultyHost} host breaks answers; pages have to be opened at its url
 *
 * @typedef {object} WorkerFixtures
 * @property {{url: string}} server
 * @property {{now: Kept | null}} kept the page that a test left
 *
 * @typedef {object} Kept
 * @property {string} file whose tests it is for
 * @property {import("@playwright/test").Page} page
 * @property {string[]} problems
 */

export const test = /** @type {typeof base.extend<TestFixtures, WorkerFixtures>} */ (base.extend)({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the pattern
    async ({}, use) => {
      const server = await startServer();
      await use(server);
      await server.close();
    },
    { scope: "worker" },
  ],

  kept: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the pattern
    ({}, use) => use({ now: null }),
    { scope: "worker" },
  ],

  baseURL: ({ server }, use) => use(server.url),

  host: async ({ server }, use) => {
    const host = await startFaultyHost(server.url);
    await use(host);
    await host.close();
  },

  allowedErrors: [nothing, { option: true }],

  context: async ({ context, allowedErrors }, use) => {
    const problems = watch(context);
    await use(context);
    test
      .expect(
        problems.filter((p) => !allowedErrors.test(p)),
        "errors of the page",
      )
      .toEqual([]);
  },

  playground: ({ page }, use) => use(createPlayground(page)),
});

export const keptTest = test.extend({
  page: async ({ browser, baseURL, viewport, kept }, use, { file }) => {
    if (kept.now?.file !== file) {
      await kept.now?.page.context().close();
      const context = await browser.newContext({ baseURL });
      kept.now = { file, page: await context.newPage(), problems: watch(context) };
    }
    const { page, problems } = kept.now;
    problems.length = 0;
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    test.expect(problems, "errors of the page").toEqual([]);
  },

  context: ({ page }, use) => use(page.context()),

  playground: ({ page }, use) => use(createKeptPlayground(page)),
});

/** What goes wrong in the pages of a context, as it comes.
 * @param {import("@playwright/test").BrowserContext} context */
function watch(context) {
  /** @type {string[]} */
  const problems = [];
  context.on("console", (m) => {
    if (m.type() === "error") problems.push(`console: ${m.text()} (${m.location().url})`);
  });
  context.on("weberror", (e) => problems.push(`thrown: ${e.error().stack ?? e.error()}`));
  context.on("request", (r) => {
    const { protocol, hostname } = new URL(r.url());
    const own = hostname === "127.0.0.1" || protocol === "data:" || protocol === "blob:";
    if (!own) problems.push(`asked another host: ${r.url()}`);
  });
  return problems;
}

/**
 * What every test stands on: the built server, and a context that fails the
 * test when a page logs an error, throws, or asks another host for anything.
 */

import { test as base } from "@playwright/test";
import { startFaultyHost } from "./faulty.js";
import { createPlayground } from "./playground.js";
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

  baseURL: ({ server }, use) => use(server.url),

  host: async ({ server }, use) => {
    const host = await startFaultyHost(server.url);
    await use(host);
    await host.close();
  },

  allowedErrors: [nothing, { option: true }],

  context: async ({ context, allowedErrors }, use) => {
    /** @type {string[]} */
    const problems = [];
    const note = (/** @type {string} */ text) => allowedErrors.test(text) || problems.push(text);
    context.on("console", (m) => {
      if (m.type() === "error") note(`console: ${m.text()} (${m.location().url})`);
    });
    context.on("weberror", (e) => note(`thrown: ${e.error().stack ?? e.error()}`));
    context.on("request", (r) => {
      const { protocol, hostname } = new URL(r.url());
      const own = hostname === "127.0.0.1" || protocol === "data:" || protocol === "blob:";
      if (!own) problems.push(`asked another host: ${r.url()}`);
    });
    await use(context);
    test.expect(problems, "errors of the page").toEqual([]);
  },

  playground: ({ page }, use) => use(createPlayground(page)),
});

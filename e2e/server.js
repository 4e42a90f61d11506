/** Starts the built server on a free port, or takes the one that runs at E2E_URL. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const binary =
  process.env.E2E_SERVER ?? fileURLToPath(new URL("../bin/playground", import.meta.url));

/**
 * @param {number | string} [port] 0: any that is free
 * @param {string[]} [options] of the server, besides
 * @returns {Promise<{url: string, close: () => Promise<void>}>}
 */
export async function startServer(port = 0, options = []) {
  if (process.env.E2E_URL) return { url: process.env.E2E_URL, close: async () => {} };
  const server = spawn(binary, ["-addr", `127.0.0.1:${port}`, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit"); // rejects when there is no such file
  const url = await Promise.race([
    address(server.stdout),
    ended.then(([code]) => Promise.reject(new Error(`${binary} ended with ${code}`))),
  ]);
  return {
    url,
    async close() {
      server.kill("SIGTERM");
      await ended;
    },
  };
}

/** @param {import("node:stream").Readable} output */
export async function address(output) {
  for await (const line of createInterface(output)) {
    const url = /http:\/\/\S+/.exec(line)?.[0];
    if (url) return url;
  }
  throw new Error(`${binary} printed no address`);
}

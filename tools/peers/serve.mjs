/**
 * The harness's server, but for one thing: a file that ends in .br is sent with
 * the header that lets the browser decode it, as the site's own server does.
 * Port: cross-origin isolated; port + 1: not. log counts the bytes by address.
 */

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".json": "application/json",
  ".wasm": "application/wasm",
};
const isolated = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
};

/** @param {string} root @param {number} [port] */
export function serve(root, port = 8801) {
  /** @type {Record<string, number>} */
  const log = {};
  const servers = [isolated, {}].map((headers, i) =>
    createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url ?? "/", "http://x").pathname);
      const file = normalize(join(root, path.startsWith("/page/") ? "out" : "", path));
      if (!file.startsWith(root) || !existsSync(file) || statSync(file).isDirectory()) {
        response.writeHead(404).end();
        return;
      }
      const { size } = statSync(file);
      const type = types[/** @type {keyof typeof types} */ (extname(file))];
      response.writeHead(200, {
        "content-type": type ?? "application/octet-stream",
        "content-length": size,
        "cache-control": "no-store",
        ...(file.endsWith(".br") ? { "content-encoding": "br" } : {}),
        ...headers,
      });
      log[path] = (log[path] ?? 0) + size;
      createReadStream(file, { highWaterMark: 1 << 20 }).pipe(response);
    }).listen(port + i, "127.0.0.1"),
  );
  const close = () => {
    for (const server of servers) server.close();
  };
  return { log, close };
}

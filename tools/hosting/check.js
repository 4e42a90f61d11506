/**
 * Tries a configuration of docs/hosting with the program that it is for: starts
 * it on the built site and looks at what it answers.
 *
 *   node tools/hosting/check.js nginx dist
 *   node tools/hosting/check.js caddy dist
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const [program, site] = [process.argv[2], resolve(process.argv[3] ?? "dist")];
const folder = await mkdtemp(join(tmpdir(), "hosting-"));
const configs = new URL("../../docs/hosting/", import.meta.url);
/** @param {string} file */
const config = async (file) =>
  (await readFile(new URL(file, configs), "utf8")).replaceAll("/srv/decoding-playground", site);

/** @type {Record<string, () => Promise<{port: number, command: string[]}>>} */
const programs = {
  async nginx() {
    const main = join(folder, "nginx.conf");
    const text = `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr;
include /etc/nginx/modules-enabled/*.conf; user root; events {}
http { include /etc/nginx/mime.types; default_type application/octet-stream; access_log off;
client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
${await config("nginx.conf")} }`;
    await writeFile(main, text);
    return { port: 8081, command: ["nginx", "-c", main] };
  },
  async caddy() {
    const file = join(folder, "Caddyfile");
    await writeFile(file, `{\n\tadmin off\n}\n${await config("Caddyfile")}`);
    return { port: 8082, command: ["caddy", "run", "--adapter", "caddyfile", "--config", file] };
  },
};

const { port, command } = await programs[program]();
const [name, ...args] = command;
const running = spawn(name, args, { stdio: ["ignore", "inherit", "pipe"] });
const ended = once(running, "exit");
let said = "";
running.stderr.on("data", (text) => {
  said += text;
});

/** @typedef {{status: number, headers: import("node:http").IncomingHttpHeaders, body: Buffer}} Answer */

/** @param {string} path @param {Record<string, string>} [headers] @returns {Promise<Answer>} */
const ask = (path, headers = {}) =>
  new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers }, async (answer) => {
      const chunks = [];
      for await (const chunk of answer) chunks.push(chunk);
      const { statusCode: status = 0, headers } = answer;
      resolve({ status, headers, body: Buffer.concat(chunks) });
    }).on("error", reject);
  });

/** @type {string[]} */
const wrong = [];
/** @param {string} what @param {unknown} got @param {unknown} want */
function expect(what, got, want) {
  const good = want instanceof RegExp ? want.test(String(got)) : got === want;
  if (!good) wrong.push(`${what}: ${got}, want ${want}`);
}

try {
  for (let tries = 0; ; tries++) {
    if (await ask("/").catch(() => null)) break;
    if (tries > 100 || running.exitCode !== null)
      throw new Error(`${program} does not start:\n${said}`);
    await delay(50);
  }
  const version = (await readdir(site)).find((f) => /^v-/.test(f));
  const [model] = JSON.parse(await readFile(join(site, "models/index.json"), "utf8"));
  const br = { "accept-encoding": "gzip, deflate, br" };
  const bytes = (/** @type {string} */ file) => readFile(join(site, file));

  const page = await ask("/", br);
  expect("the page", page.status, 200);
  expect("its type", page.headers["content-type"], /^text\/html/);
  expect("its caching", page.headers["cache-control"], "no-cache");
  expect("its policy", page.headers["content-security-policy"], /trusted-types/);
  expect("nosniff", page.headers["x-content-type-options"], "nosniff");

  const wasm = `${version}/engine.wasm`;
  const coded = await ask(`/${wasm}`, br);
  expect("wasm, coding", coded.headers["content-encoding"], "br");
  expect("wasm, type", coded.headers["content-type"], "application/wasm");
  expect("wasm, caching", coded.headers["cache-control"], /immutable/);
  expect("wasm, vary", coded.headers.vary, /accept-encoding/i);
  expect("wasm, bytes", coded.body.equals(await bytes(`${wasm}.br`)), true);
  const plain = await ask(`/${wasm}`);
  expect("wasm uncoded, coding", plain.headers["content-encoding"], undefined);
  expect("wasm uncoded, bytes", plain.body.equals(await bytes(wasm)), true);
  const script = await ask(`/${version}/app.js`, br);
  expect("script, type", script.headers["content-type"], /javascript/);

  const part = `models/${model.id}/part-000.bin.br`;
  const weights = await ask(`/${part}`, br);
  expect("weights, coding", weights.headers["content-encoding"], "br");
  expect("weights, bytes", weights.body.equals(await bytes(part)), true);
  const asTheyAre = await ask(`/${part}`);
  expect("weights as they are, coding", asTheyAre.headers["content-encoding"], undefined);
  expect("weights as they are, bytes", asTheyAre.body.equals(await bytes(part)), true);

  const { etag } = plain.headers;
  expect("etag", etag, /./);
  const again = await ask(`/${wasm}`, { "if-none-match": etag ?? "" });
  expect("the same again", again.status, 304);
  const none = await ask("/models/none/manifest.json");
  expect("nothing there", none.status, 404);
} finally {
  running.kill("SIGTERM");
  await ended;
  await rm(folder, { recursive: true });
}
if (wrong.length) {
  console.error(`${program}:\n${wrong.join("\n")}\n${said}`);
  process.exit(1);
}
console.log(`${program}: the page, scripts, WebAssembly and weights are as they should be`);

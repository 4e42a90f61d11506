/**
 * Measures what loading a large model costs: node e2e/loadtimes.js SITE
 * CHECKPOINT [BROWSER]. Each model of the site whose id starts with "random" is opened in
 * each browser, from the project's server and from a plain one without headers,
 * with a fresh profile and once more after the browser was started anew. Then
 * the checkpoint is packed in the page. Prints Markdown tables.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { copyFile, readdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect, createServer as createRelay } from "node:net";
import { join, normalize } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chromium, firefox } from "@playwright/test";
import config from "./playwright.config.js";
import { address } from "./server.js";
import { open, watchMemory, withProfile } from "./undebugged.js";

const [site = "", checkpoint = "", only = ""] = process.argv.slice(2);
const binary = fileURLToPath(new URL("../bin/playground", import.meta.url));

/** The project's server. */
async function project() {
  const server = spawn(binary, ["-addr", "127.0.0.1:0", "-dir", site]);
  const { port } = new URL(await address(server.stdout));
  return { port: Number(port), close: () => void server.kill() };
}

/** A host that knows files and their types, and nothing else. */
async function plain() {
  const types = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml" };
  const server = createServer(async (request, answer) => {
    const { pathname } = new URL(request.url ?? "/", "http://host");
    const file = join(site, normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    try {
      const ending = /** @type {keyof typeof types} */ (file.split(".").at(-1));
      const { size } = await stat(file);
      const type = types[ending] ?? "application/octet-stream";
      answer.writeHead(200, { "content-length": size, "content-type": type });
      createReadStream(file).pipe(answer);
    } catch {
      answer.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, close };
}

/**
 * Counts the bytes that a host sends, and hears what the page in
 * loadtimes.page.js tells it.
 *
 * @param {number} port
 */
async function listen(port) {
  const count = { bytes: 0 };
  /** @type {(times: {loaded: number, ready: number}) => void} */
  let tell = () => {};
  const relay = createRelay((near) => {
    const far = connect(port, "127.0.0.1");
    near.on("data", (data) => {
      const [, loaded, ready] = /done\?loaded=(\d+)&ready=(\d+)&/.exec(data.toString()) ?? [];
      if (ready) tell({ loaded: Number(loaded) / 1000, ready: Number(ready) / 1000 });
    });
    far.on("data", (data) => {
      count.bytes += data.length;
    });
    near.pipe(far).on("error", () => near.destroy());
    far.pipe(near).on("error", () => far.destroy());
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  const own = /** @type {import("node:net").AddressInfo} */ (relay.address());
  return {
    count,
    url: `http://127.0.0.1:${own.port}/`,
    /** @returns {Promise<{loaded: number, ready: number}>} seconds */
    told: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
    close: () => void relay.close(),
  };
}

/**
 * Starts a browser as a person does, and ends it when the page has told its times.
 *
 * @param {{name: string, use: any}} browser
 * @param {string} profile
 * @param {Awaited<ReturnType<typeof listen>>} host
 * @param {string} model
 */
async function visit(browser, profile, host, model) {
  const told = host.told();
  const end = open(browser, profile, `${host.url}loadtimes.html#explore?model=${model}`);
  const memory = watchMemory(profile);
  try {
    const times = await told;
    const most = { ...memory.most };
    await setTimeout(5000); // what was stored is on the disk some seconds later
    return { ...times, most, later: memory.most.resident };
  } finally {
    await memory.stop();
    await end();
  }
}

/**
 * Packs the checkpoint in the page: seconds until the model was in place.
 *
 * @param {{name: string, use: any}} browser
 * @param {string} profile
 * @param {string} url
 */
async function packed({ name, use }, profile, url) {
  const type = name === "firefox" ? firefox : chromium;
  const options = { ...use, ...use.launchOptions, viewport: null };
  const context = await type.launchPersistentContext(profile, options);
  const memory = watchMemory(profile);
  try {
    const page = context.pages()[0] ?? (await context.newPage());
    const shown = (/** @type {string} */ selector) =>
      page.locator(selector).first().waitFor({ timeout: 600_000 });
    await page.goto(url);
    await shown("table.bars .take");
    const start = Date.now();
    const files = ["config.json", "model.safetensors"].map((file) => join(checkpoint, file));
    await page.locator(".modelfiles").setInputFiles(files);
    await shown(".modelbtn .led:not(.on)");
    await shown(".modelbtn .led.on");
    return { seconds: (Date.now() - start) / 1000, most: memory.most };
  } finally {
    await memory.stop();
    await context.close();
  }
}

const page = fileURLToPath(new URL("./loadtimes.page.js", import.meta.url));
await copyFile(page, join(site, "loadtimes.js"));
await writeFile(
  join(site, "loadtimes.html"),
  '<!doctype html><title>Load times</title><body><script type="module" src="loadtimes.js"></script>',
);

const models = (await readdir(join(site, "models"))).filter((id) => id.startsWith("random"));
const all = /** @type {{name: string, use: any}[]} */ (config.projects);
const browsers = all.filter(({ name }) => name.includes(only));
const mega = (/** @type {number} */ bytes) => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
const seconds = (/** @type {number} */ time) => `${time.toFixed(1)} s`;
const row = (/** @type {string[]} */ cells) => console.log(`| ${cells.join(" | ")} |`);

row([
  "browser",
  "host",
  "model",
  "in place",
  "first numbers",
  "wire",
  "again",
  "wire",
  "memory",
  "its own",
  "5 s later",
  "again",
  "its own",
  "5 s later",
]);
row(["---", "---", "---", ...Array.from({ length: 11 }, () => "--:")]);
for (const browser of browsers) {
  for (const [name, start] of Object.entries({
    "`bin/playground`": project,
    "plain files": plain,
  })) {
    const host = await start();
    for (const model of models.sort()) {
      const relay = await listen(host.port);
      await withProfile(async (profile) => {
        const first = await visit(browser, profile, relay, model);
        const wire = relay.count.bytes;
        const again = await visit(browser, profile, relay, model);
        const memory = [first, again].flatMap(({ most, later }) =>
          [most.resident, most.own, later].map(mega),
        );
        const times = [seconds(first.loaded), seconds(first.ready), mega(wire)];
        times.push(seconds(again.ready), mega(relay.count.bytes - wire));
        row([browser.name, name, model, ...times, ...memory]);
      });
      relay.close();
    }
    host.close();
  }
}

console.log();
row(["browser", "packed in the page", "memory", "its own"]);
row(["---", "--:", "--:", "--:"]);
for (const browser of browsers) {
  const host = await project();
  await withProfile(async (profile) => {
    const url = `http://127.0.0.1:${host.port}/`;
    const { seconds: time, most } = await packed(browser, profile, url);
    row([browser.name, seconds(time), mega(most.resident), mega(most.own)]);
  });
  host.close();
}

/**
 * A session of WebKitGTK, by the commands of W3C WebDriver: WebKitWebDriver
 * speaks nothing newer. It runs under a screen of its own.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const windowFile = fileURLToPath(new URL("window.py", import.meta.url));

/** What a key is called on the wire. */
export const keys = { left: "\ue012", right: "\ue014", home: "\ue011", enter: "\ue007" };

export async function startWebKit() {
  const home = await mkdtemp(join(tmpdir(), "webkit-"));
  const log = join(home, "log");
  // The driver throws away what its browser says.
  const browser = join(home, "browser");
  await writeFile(browser, `#!/bin/sh\nexec ${windowFile} "$@" >>${log} 2>&1\n`, { mode: 0o755 });
  await writeFile(log, "");

  const screen = spawn(
    "Xvfb",
    ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
    {
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    },
  );
  await once(screen, "spawn"); // or the error that says what is not installed
  const [display] = await once(
    /** @type {import("node:stream").Readable} */ (screen.stdio[3]),
    "data",
  );
  const port = await freePort();
  const driver = spawn("WebKitWebDriver", [`--port=${port}`], {
    stdio: "ignore",
    env: {
      ...process.env,
      DISPLAY: `:${String(display).trim()}`,
      WEBKIT_HOME: home,
      GTK_A11Y: "none",
    },
  });
  async function end() {
    for (const child of [driver, screen]) {
      const running = child.pid !== undefined && child.exitCode === null;
      if (running && child.kill("SIGTERM")) await once(child, "exit");
    }
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
  await once(driver, "spawn").catch(async (error) => {
    await end();
    throw error;
  });
  const url = `http://127.0.0.1:${port}`;

  /** @param {string} method @param {string} path @param {object} [body] @returns {Promise<any>} */
  async function command(method, path, body) {
    const answer = await fetch(url + path, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.error}: ${value.message}`);
    return value;
  }
  for (let tries = 0; ; tries++) {
    const ready = await command("GET", "/status").catch(() => null);
    if (ready) break;
    if (tries > 100) {
      await end();
      throw new Error("WebKitWebDriver does not start");
    }
    await delay(50);
  }
  const { sessionId, capabilities } = await command("POST", "/session", {
    capabilities: { alwaysMatch: { "webkitgtk:browserOptions": { binary: browser, args: [] } } },
  });
  const session = `/session/${sessionId}`;
  await command("POST", `${session}/timeouts`, { script: 120_000, pageLoad: 60_000 });

  /** Runs a function in the page; what it returns is awaited.
   * @template T @template {any[]} A @param {(...args: A) => T} run @param {A} args @returns {Promise<Awaited<T>>} */
  const evaluate = (run, ...args) =>
    command("POST", `${session}/execute/async`, {
      script: `const done = arguments[arguments.length - 1];
        Promise.resolve((${run})(...[...arguments].slice(0, -1))).then(
          (value) => done({ value }), (error) => done({ error: String(error) }))`,
      args,
    }).then(({ value, error }) => {
      if (error) throw new Error(error);
      return value;
    });

  return {
    version: capabilities.browserVersion,
    evaluate,
    /** @param {string} url */
    open: (url) => command("POST", `${session}/url`, { url }),
    reload: () => command("POST", `${session}/refresh`, {}),
    /** Waits until a function in the page gives something true.
     * @template T @template {any[]} A @param {string} what @param {(...args: A) => T} run @param {A} args @returns {Promise<Awaited<T>>} */
    async until(what, run, ...args) {
      for (let tries = 0; tries < 300; tries++) {
        const value = await evaluate(run, ...args);
        if (value) return value;
        await delay(100);
      }
      throw new Error(`${what}: not within 30 s; the log says\n${await readFile(log, "utf8")}`);
    },
    /** Types into what a selector finds. @param {string} selector @param {string} text */
    async type(selector, text) {
      const found = await command("POST", `${session}/element`, {
        using: "css selector",
        value: selector,
      });
      await command("POST", `${session}/element/${found[ELEMENT]}/value`, { text });
    },
    /** @param {string} selector */
    async click(selector) {
      const found = await command("POST", `${session}/element`, {
        using: "css selector",
        value: selector,
      });
      await command("POST", `${session}/element/${found[ELEMENT]}/click`, {});
    },
    /** Errors of the console so far. */
    async errors() {
      const lines = (await readFile(log, "utf8")).split("\n");
      return lines.filter((line) => /^CONSOLE .*ERROR/.test(line));
    },
    async close() {
      await command("DELETE", session).catch(() => {});
      await end();
    },
  };
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  return port;
}

/**
 * A browser as a person starts it, and the memory of its pages. A debugger, which every
 * other test has attached, would keep each answer.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/**
 * Opens a page; the answer ends the browser.
 *
 * @param {{name: string, use: any}} browser a project of the runner's configuration
 * @param {string} profile
 * @param {string} page
 */
export function open({ name, use }, profile, page) {
  const { executablePath, args = [] } = use.launchOptions;
  const start =
    name === "firefox"
      ? ["--headless", "--no-remote", "--profile", profile, page]
      : [...args, "--headless", `--user-data-dir=${profile}`, page];
  const browser = spawn(executablePath, start, { stdio: "ignore" });
  return async () => {
    browser.kill();
    await once(browser, "exit");
  };
}

/**
 * Watches the memory of the pages of the browser that uses a profile: the most
 * that one process had resident, and of that, what is not the browser's files.
 *
 * @param {string} profile
 */
export function watchMemory(profile) {
  const most = { resident: 0, own: 0 };
  let watching = true;
  async function look() {
    for (const pid of await pagesOf(profile)) {
      const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      const of = (/** @type {string} */ field) =>
        1024 * Number(new RegExp(`^${field}:\\s*(\\d+)`, "m").exec(text)?.[1] ?? 0);
      most.resident = Math.max(most.resident, of("VmHWM"));
      most.own = Math.max(most.own, of("RssAnon") + of("RssShmem"));
    }
  }
  async function watch() {
    while (watching) {
      await look();
      await setTimeout(200);
    }
  }
  const ended = watch();
  return {
    most,
    /** While the browser is still there: it looks once more. */
    async stop() {
      watching = false;
      await ended;
      await look();
    },
  };
}

/** The processes that draw pages. @param {string} profile */
async function pagesOf(profile) {
  /** @type {Map<number, {parent: number, command: string}>} */
  const all = new Map();
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const read = (/** @type {string} */ f) =>
      readFile(`/proc/${name}/${f}`, "utf8").catch(() => "");
    const parent = Number(/^PPid:\s*(\d+)/m.exec(await read("status"))?.[1] ?? 0);
    all.set(Number(name), { parent, command: (await read("cmdline")).replaceAll("\0", " ") });
  }
  /** @param {number} pid @returns {boolean} */
  const ours = (pid) => {
    const process = all.get(pid);
    return Boolean(process) && (process?.command.includes(profile) || ours(process?.parent ?? 0));
  };
  return [...all].flatMap(([pid, { command }]) =>
    /--type=renderer|-contentproc.* tab/.test(command) && ours(pid) ? [pid] : [],
  );
}

/** @template T @param {(profile: string) => Promise<T>} work */
export async function withProfile(work) {
  const profile = await mkdtemp(join(tmpdir(), "loadtimes-"));
  try {
    return await work(profile);
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  }
}

import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";
import main from "../playwright.config.js";

/** The soak runs alone, in Chromium: only there can memory be measured. */
const [chromium] = /** @type {any[]} */ (main.projects);
const { executablePath } = chromium.use.launchOptions;
const launchOptions = {
  ...chromium.use.launchOptions,
  executablePath: fileURLToPath(new URL("forgetful.js", import.meta.url)),
  env: { ...process.env, CHROMIUM: executablePath },
  args: [
    ...chromium.use.launchOptions.args,
    // Memory is measured at once, not when it suits the browser.
    "--enable-blink-features=ForceEagerMeasureMemory",
    "--js-flags=--expose-gc",
  ],
};

export default defineConfig({
  ...main,
  testDir: ".",
  testIgnore: [],
  outputDir: "../out/soak",
  retries: 0,
  workers: 1,
  timeout: 0,
  reporter: "list",
  use: { ...main.use, trace: "off" },
  projects: [{ name: "chromium", use: { ...chromium.use, launchOptions } }],
});

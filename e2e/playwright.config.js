import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "@playwright/test";

/**
 * Chromium runs everything; Firefox, where it is installed, what is marked
 * @everywhere. Both are the system's own browsers: the runner downloads none.
 */

const chromium = {
  name: "chromium",
  use: {
    browserName: "chromium",
    launchOptions: {
      executablePath: found("/usr/bin/chromium", "/usr/bin/chromium-browser"),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
};

const firefoxPath = found("/usr/bin/firefox-esr", "/usr/bin/firefox");
const firefox = {
  name: "firefox",
  grep: /@everywhere/,
  use: {
    browserName: "firefox",
    channel: "moz-firefox",
    // This Firefox takes no media features from outside; null leaves them alone.
    colorScheme: null,
    reducedMotion: null,
    contextOptions: {},
    forcedColors: null,
    contrast: null,
    launchOptions: {
      executablePath: firefoxPath,
      downloadsPath: fileURLToPath(new URL("out/downloads", import.meta.url)),
      firefoxUserPrefs: {
        "ui.prefersReducedMotion": 1,
        // A question that nobody answers would never end.
        "dom.storageManager.prompt.testing": true,
        "dom.storageManager.prompt.testing.allow": true,
      },
    },
  },
};

/** @param {string[]} paths */
function found(...paths) {
  return paths.find(existsSync);
}

export default defineConfig({
  testDir: ".",
  testIgnore: ["soak/**", "small/**", "webkit/**"], // make soak, make small, make webkit
  outputDir: "out/tests",
  // The tests of a file come one after the other: they may share a page.
  fullyParallel: false,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A machine shared with others may starve a browser; what fails at each try is broken.
  retries: process.env.CI ? 2 : 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [["list"], ["html", { outputFolder: "out/report", open: "never" }]],
  use: {
    viewport: { width: 1280, height: 900 },
    locale: "en-GB",
    colorScheme: "light",
    // Drawn without a graphics card, motion costs a third of a run; what measures it asks for it.
    contextOptions: { reducedMotion: "reduce" },
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    // What it keeps would hide from the tests what the server sends; its own allow it.
    serviceWorkers: "block",
  },
  projects: /** @type {any} */ (firefoxPath ? [chromium, firefox] : [chromium]),
});

import { defineConfig } from "@playwright/test";
import soak from "../soak/playwright.config.js";

/** The small device runs alone, in Chromium: there its processes can be asked for. */
export default defineConfig({
  ...soak,
  outputDir: "../out/small",
  timeout: 300_000,
  testDir: ".",
});

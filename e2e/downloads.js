/** Files that the page hands out. */

import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";

/** @typedef {{name: string, data: Buffer}} File */

/**
 * The file that comes of a click.
 *
 * @param {import("@playwright/test").Page} page
 * @param {import("@playwright/test").Locator} button
 * @returns {Promise<File>}
 */
export async function downloaded(page, button) {
  const folder = test.info().project.use.launchOptions?.downloadsPath;
  if (folder) return inFolder(folder, () => button.click());
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  return { name: download.suggestedFilename(), data: await readFile(await download.path()) };
}

/**
 * What is new in a folder, once it is whole. Firefox tells of a download only by
 * the navigation that began it, and a link to a blob begins none: its file is looked for.
 *
 * @param {string} folder @param {() => Promise<void>} ask
 * @returns {Promise<File>}
 */
async function inFolder(folder, ask) {
  const files = () => readdir(folder).catch(() => /** @type {string[]} */ ([]));
  const before = new Set(await files());
  await ask();
  /** @type {File[]} */
  let found = [];
  await expect(async () => {
    const names = (await files()).filter((name) => !before.has(name));
    expect(names, "files that came, and none on its way").toHaveLength(1);
    expect(names[0]).not.toMatch(/\.part$/);
    found = [{ name: names[0], data: await readFile(join(folder, names[0])) }];
    expect(found[0].data.length).toBeGreaterThan(0);
  }).toPass({ timeout: 30_000 });
  await rm(join(folder, found[0].name));
  return found[0];
}

import { readFile } from "node:fs/promises";
import { configFile, safetensors } from "./checkpoint.js";
import { expect, test } from "./fixtures.js";
import { tooWide } from "./looks.js";

/** @typedef {import("@playwright/test").Page} Page */

/** A word without a place to break, as names of models, compounds and links are. */
const WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen_v2.1";

const at = (/** @type {string} */ file) =>
  readFile(new URL(`../web/lessons/en/${file}.json`, import.meta.url), "utf8");

/** Texts of a lesson that a teacher writes. */
const WRITTEN =
  /^(title|goal|claim|answer|text|question|right|wrong|success|teacher_note|authors|venue)$/;

/** All that a teacher writes as a long word; no two choices are the same.
 * @param {any} value @param {string} [name] @param {number} [nth] @returns {any} */
function worded(value, name = "", nth = 0) {
  if (Array.isArray(value))
    return value.map((v, i) => worded(v, /choices|hints/.test(name) ? "text" : "", i));
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, worded(v, k)]));
  return typeof value === "string" && WRITTEN.test(name) ? `${WORD}${nth}` : value;
}

test.use({ viewport: { width: 360, height: 740 } });

test("a teacher's long words keep a lesson as narrow as its window", async ({ page }) => {
  const lessons = [];
  for (const id of ["softmax", "sampling", "surprise"]) {
    const mine = { ...worded(JSON.parse(await at(id))), id: `my-${id}` };
    lessons.push(mine);
  }
  await page.addInitScript((kept) => {
    localStorage.setItem("decoding-playground-own-lessons", kept);
  }, JSON.stringify(lessons));
  await page.goto("./#lessons");
  await expect(page.locator(".lessoncard .title", { hasText: WORD })).toHaveCount(3);
  expect(await tooWide(page), "all lessons").toEqual([]);
  for (const { id, steps, tasks } of lessons)
    for (const place of [...steps, ...tasks]) {
      await page.goto(`./#lesson=${id}/${place.id}`);
      await expect(page.locator(".lesson").getByText(WORD).first()).toBeVisible();
      for (const name of ["Skip, just show it", "Hint"]) {
        const button = page.getByRole("button", { name });
        if (await button.isVisible()) await button.click();
      }
      for (const fold of await page.locator("main details:not([open]) > summary").all())
        if (await fold.isVisible()) await fold.click();
      expect(await tooWide(page), `${id}/${place.id}`).toEqual([]);
    }
});

test("long words in a prompt and in a link keep every view as narrow as its window", async ({
  page,
}) => {
  const word = encodeURIComponent(WORD);
  for (const [view, more, shown] of /** @type {const} */ ([
    ["explore", "", "[data-num=nucleus] .v"],
    [
      "compare",
      `&pane=own!sampling!top_k:5;bad_words_ids:&list=1/bad_words_ids.bad_words_ids=${word}&pane=greedy!greedy!`,
      "#view-compare .pane .t",
    ],
    ["beams", "&beams=3,3,1", ".tree .node.live .word"],
    ["draws", "", ".drawtable tbody .n"],
  ])) {
    await page.goto("about:blank");
    await page.goto(
      `./#${view}?prompt=${word}&model=${WORD.replace("ä", "a").replace("ü", "u").slice(0, 60)}&end=${word}&stop=${word}&stages=top_k:5;${word}:1${more}`,
    );
    await expect(page.locator(`${shown}`).first()).toHaveText(/[^\s–]/, { timeout: 60_000 });
    await expect(page.locator(".linknote")).toContainText("Donau");
    expect(await tooWide(page), view).toEqual([]);
  }
});

test("a model's long name keeps the menu as narrow as its window", async ({ page, playground }) => {
  await playground.open();
  const name = WORD.replaceAll(/[^a-zA-Z0-9_]/g, "").repeat(2);
  await page
    .locator(".modelfiles")
    .setInputFiles([configFile(50257), safetensors(`${name}.safetensors`, 50257)]);
  await expect(page.locator(".modelname")).toHaveText(name);
  await playground.ready();
  await page.getByRole("button", { name: /Choose a model/ }).click();
  const row = page.locator(".modelrow", { hasText: name });
  await expect(row).toBeVisible();
  expect(await row.evaluate((el) => el.scrollWidth - el.clientWidth)).toBe(0);
  await expect(row.locator(".msize")).toBeInViewport({ ratio: 1 });
});

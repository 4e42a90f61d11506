import { LANGUAGES } from "../web/language.js";
import { expect, test } from "./fixtures.js";
import { findings, still, tooWide } from "./looks.js";

/** @typedef {import("@playwright/test").Page} Page */

const views = ["explore", "compare", "beams", "draws", "lessons"];
/** Some stages have long names. */
const state =
  "prompt=The+cat+ran+after+a&stages=repetition_penalty:1.2;temperature:0.8;top_k:40;top_p:0.9";
const address = (/** @type {string} */ lang, /** @type {string} */ view) =>
  `?lang=${lang}#${view}${view === "lessons" ? "" : `?${state}`}`;

/** Waits until a view has its model's numbers, or its lessons. @param {Page} page @param {string} view */
async function open(page, lang = "en", view = "explore") {
  await page.goto(address(lang, view));
  const shown = {
    explore: "[data-num=nucleus] .v",
    compare: "#view-compare .pane .t",
    beams: ".tree .node.live .word",
    draws: ".drawtable tbody .n",
    lessons: "#view-lessons a .title",
  }[view];
  await expect(page.locator(`${shown}`).first()).toHaveText(/[^\s–]/, { timeout: 60_000 });
  await still(page);
}

/**
 * Controls whose words do not fit into them, or that end outside of the window.
 * What scrolls or is cut with an ellipsis on purpose says so in its style.
 *
 * @param {Page} page
 */
function clipped(page) {
  return page.evaluate(() => {
    const { clientWidth } = document.documentElement;
    const scrolls = (/** @type {Element} */ el) => {
      for (let at = el.parentElement; at; at = at.parentElement)
        if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
      return false;
    };
    const controls = document.querySelectorAll("a, button, select, label, summary, legend, h1, h2");
    return [...controls].flatMap((el) => {
      const box = el.getBoundingClientRect();
      if (!el.checkVisibility() || box.width < 2 || el.closest(".sr, .skip")) return [];
      const style = getComputedStyle(el);
      const told = `${el.tagName}.${el.getAttribute("class")} "${el.textContent?.trim().slice(0, 30)}"`;
      const out = Math.max(box.right - clientWidth, -box.left);
      if (out > 1 && !scrolls(el)) return [`${told} ends ${Math.round(out)} px outside`];
      const wide = el.scrollWidth - el.clientWidth;
      if (style.display !== "inline" && style.overflowX !== "visible" && wide > 1)
        return [`${told} hides ${wide} px`];
      // Words that run out of the box that they are in.
      const range = document.createRange();
      range.selectNodeContents(el);
      const words = range.getBoundingClientRect();
      const over = Math.max(words.right - box.right, box.left - words.left);
      const hidden = [...el.querySelectorAll(".sr, .short")].length > 0;
      return el.tagName !== "SELECT" && !hidden && over > 2
        ? [`${told} runs out by ${Math.round(over)} px`]
        : [];
    });
  });
}

for (const lang of Object.keys(LANGUAGES))
  test(`${lang}: no control is clipped at 320 px${lang === "fr" ? " @everywhere" : ""}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 320, height: 700 });
    for (const view of views) {
      await open(page, lang, view);
      expect(await tooWide(page), view).toEqual([]);
      expect(await clipped(page), view).toEqual([]);
    }
    await open(page, lang);
    await page.locator(".dock .iconbtn, .dock button:last-child").last().click();
    expect(await clipped(page), "all settings").toEqual([]);
  });

for (const lang of ["de", "ar"])
  test(`${lang}: axe finds nothing in any view${lang === "ar" ? " @everywhere" : ""}`, async ({
    page,
  }) => {
    for (const view of views) {
      await open(page, lang, view);
      expect.soft(await findings(page), view).toEqual([]);
    }
  });

test("the menu changes the language and keeps what was done", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: "Draw this token" }).click();
  await expect(page.locator(".sentence .text").getByRole("button")).toHaveCount(1);
  await page.getByRole("button", { name: "Language" }).click();
  await page.getByRole("link", { name: "Deutsch" }).click();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page.locator(".sentence .text").getByRole("button")).toHaveCount(1);
  await expect(page.locator("[data-num=mass] .v")).toHaveText(/^\d+,\d$/);
  // Kept for the next visit, which names no language.
  await page.goto("./");
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
});

test.describe("a browser that speaks Spanish", () => {
  test.use({ locale: "es-MX" });
  test("is spoken to in Spanish, unless a link says otherwise", async ({ page }) => {
    await open(page, "es");
    await page.goto("./");
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
    await page.goto("./?lang=zh");
    await expect(page.locator("html")).toHaveAttribute("lang", "zh");
    await page.goto("about:blank");
    await page.goto("./#explore?lang=fr");
    await expect(page.locator("html")).toHaveAttribute("lang", "fr");
    await page.goto("./?lang=../../evil");
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
  });
});

test("Arabic runs from right to left, and the model's text as it is @everywhere", async ({
  page,
}) => {
  await open(page, "ar");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  const box = async (/** @type {string} */ selector) => {
    const found = await page.locator(selector).first().boundingBox();
    if (!found) throw new Error(`${selector} is not shown`);
    return found;
  };
  // The likeliest piece lies at the right, its bar begins there, the curve's axis, too.
  const strip = await box(".ribbons");
  const first = await box(".ribbons .piecebox.first");
  expect(Math.abs(first.x + first.width - strip.x - strip.width)).toBeLessThan(3);
  const cell = await box(".bars .bar");
  const fill = await box(".bars .fill");
  expect(Math.abs(fill.x + fill.width - cell.x - cell.width)).toBeLessThan(3);
  // English tokens follow each other from left to right.
  const tokens = page.locator(".given-tokens > *");
  const places = await tokens.evaluateAll((all) => all.map((el) => el.getBoundingClientRect().x));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  // A percentage is read from left to right, and so is what is typed for a number.
  await expect(page.locator("#controls input[type=number]").first()).toHaveCSS("direction", "ltr");
  await expect(page.locator(".bars .f").nth(1)).toHaveText(/^\u2066.*%\u2069$/);
});

test("the English of the lessons is marked, and told in the reader's language", async ({
  page,
}) => {
  await open(page, "ar", "lessons");
  await expect(page.locator(".languagenote")).toHaveText(/بالإنجليزية/);
  const goal = page.locator(".lessoncard .goal").first();
  await expect(goal).toHaveAttribute("lang", "en");
  await expect(goal).toHaveCSS("direction", "ltr");
  await page.locator(".lessoncard").first().click();
  await expect(page.locator(".lessonhead .languagenote")).toBeVisible();
  for (const part of [".prose", ".guess p", ".guess .opt span"])
    await expect(page.locator(`.lesson ${part}[lang=en][dir=ltr]`).first()).toBeVisible();
});

/** What is checked of a page as it looks: accessibility, width, and a picture of it. */

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect } from "@playwright/test";

/** @typedef {import("@playwright/test").Page} Page */

export { VIEWS } from "../web/fragment.js";

/** A fragment with a prompt that the default model knows something about.
 * @param {string} view */
export const fragment = (view) => `#${view}?prompt=The+cat+ran+after+a`;

const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Ends all that fades or moves, but for what never ends. @param {Page} page */
export async function still(page) {
  await page.evaluate(() => {
    for (const a of document.getAnimations())
      if (Number.isFinite(a.effect?.getComputedTiming().endTime)) a.finish();
  });
}

/** What axe-core finds, in a line each.
 * @param {Page | import("@playwright/test").Frame} page @param {string} [within] a part of it alone */
export async function findings(page, within = "html") {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(
    (part) => /** @type {any} */ (window).axe.run(part, { resultTypes: ["violations"] }),
    within,
  );
  return violations.flatMap((/** @type {any} */ v) =>
    v.nodes.map(
      (/** @type {any} */ n) => `${v.id}: ${n.target.join(" ")}: ${n.failureSummary}\n${n.html}`,
    ),
  );
}

/** Elements that make the page wider than its window. @param {Page} page */
export function tooWide(page) {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const scrolls = (/** @type {Element} */ el) => {
      for (let at = el.parentElement; at && at !== document.body; at = at.parentElement)
        if (getComputedStyle(at).overflowX !== "visible") return true;
      return false;
    };
    return [...document.querySelectorAll("body *")]
      .filter((el) => !scrolls(el))
      .map((el) => ({ el, right: Math.round(el.getBoundingClientRect().right) }))
      .filter(({ right }) => right > clientWidth)
      .map(({ el, right }) => `${el.tagName}.${el.getAttribute("class")} ends at ${right}`)
      .slice(0, 8);
  });
}

/** Waits until the panes of a comparison have written their texts. @param {Page} page */
export const finished = (page) =>
  expect(page.locator(".runpanes")).toHaveText(/again/, { timeout: 60_000 });

/** Waits until a view has all that it is going to show. @param {Page} page @param {string} view */
export async function drawn(page, view) {
  if (view === "explore") await expect(page.locator(".curve svg path").first()).toBeAttached();
  if (view === "compare") await finished(page);
}

/** Keeps a picture of the page. @param {Page} page @param {string} name */
export async function shoot(page, name, { fullPage = true } = {}) {
  // In Firefox the runner adds a style for it, which the page's policy forbids.
  if (page.context().browser()?.browserType().name() === "firefox") return;
  await still(page);
  const path = fileURLToPath(new URL(`out/shots/${name}.png`, import.meta.url));
  await page.screenshot({ path, fullPage });
}

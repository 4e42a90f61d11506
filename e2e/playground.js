/** The page as a person finds it: by role and name, numbers read from what is shown. */

import { expect } from "@playwright/test";

/** @typedef {"nucleus" | "mass" | "entropy" | "choices"} NumberName */

/** What a view shows first, of Explore, Compare, Beams, Draws and Lessons. */
const FIRST =
  "[data-num=nucleus] .v, .pane .t, .tree .node.live, .drawtable tbody th, .lessoncards li, .lesson h1";

/** @param {import("@playwright/test").Page} page */
export function createPlayground(page) {
  const view = page.locator("main > .view:not([hidden])");
  const text = page.locator(".sentence .text");
  const bars = page.locator("table.bars").first();

  /** @param {string} name of a button, as far as it goes */
  const button = (name) => view.getByRole("button", { name });

  /** @param {NumberName} name */
  const shown = (name) => page.locator(`[data-num="${name}"]`);

  /** What a cell of the numbers says: "1,234" is 1234. @param {NumberName} name */
  const number = async (name) => numberIn((await shown(name).locator(".v").textContent()) ?? "");

  return {
    page,
    view,
    text,
    bars,
    button,
    shown,
    number,
    promptTokens: text.locator(".given-tokens > *"),
    drawnTokens: text.getByRole("button"),
    take: bars.getByRole("button", { name: /^Take / }),
    why: page.locator(".why"),

    /** Opens a view and waits until its first distribution is drawn. */
    async open(fragment = "", base = "./") {
      await page.goto(base + fragment);
      await this.ready();
    },

    async ready() {
      const first = view.locator(FIRST).first();
      await expect(first).toHaveText(/[^\s–]/, { timeout: 30_000 });
    },

    /** The parts of one setting. @param {string} label */
    setting: (label) => ({
      range: view.getByRole("slider", { name: label, exact: true }),
      box: view.getByRole("spinbutton", { name: `${label}, number`, exact: true }),
      used: view.getByRole("switch", { name: `Use ${label}`, exact: true }),
    }),

    /** Types a value into a number box. @param {string} label @param {number | string} value */
    async set(label, value) {
      const { box } = this.setting(label);
      // Not fill: in Firefox it leaves a number box empty that had a value.
      await box.press("ControlOrMeta+a");
      await box.pressSequentially(String(value));
      await box.press("Tab");
    },

    /** Uses the stages named and no other. @param {Record<string, number>} stages */
    async only(stages) {
      await button("Switch all off").click();
      for (const [label, value] of Object.entries(stages)) {
        await this.set(label, value);
        await expect(this.setting(label).used).toBeChecked();
      }
    },

    /** The text no longer ends where the model would end it. */
    endless: () => view.getByRole("switch", { name: /end token/ }).uncheck(),

    /** Runs twenty steps on. */
    async run() {
      const before = await this.drawnTokens.count();
      await button("Run").click();
      await expect(this.drawnTokens).toHaveCount(before + 20, { timeout: 60_000 });
      await expect(button("Run")).toBeVisible();
    },

    /** @param {string} prompt */
    async type(prompt) {
      await button("Edit").first().click();
      await page.getByRole("textbox", { name: "Prompt" }).fill(prompt);
      await page.getByRole("textbox", { name: "Prompt" }).press("Enter");
    },

    /** The bars as they are drawn: shares from 0 to 1. */
    rows: () =>
      bars.locator("tbody tr:not([hidden])").evaluateAll((rows) =>
        rows.map((row) => {
          const cell = (/** @type {string} */ s) => row.querySelector(s)?.textContent ?? "";
          const share = (/** @type {string} */ s) => {
            const t = cell(s).replace(/[^\d.]/g, "");
            return t === "" ? 0 : Number(t) / 100;
          };
          return {
            token: cell(".take"),
            model: share(".m"),
            final: share(".f"),
            removed: row.classList.contains("removed"),
            chosen: row.classList.contains("chosen"),
          };
        }),
      ),

    /** The generated tokens. */
    textNow: () => text.getByRole("button").allTextContents(),
  };
}

/** "1,234", "74.2 %", "−1.55" @param {string} text */
export function numberIn(text) {
  const found = /[−-]?[\d,]*\.?\d+/.exec(text);
  return found ? Number(found[0].replace("−", "-").replaceAll(",", "")) : Number.NaN;
}

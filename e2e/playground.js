/** The page as a person finds it: by role and name, numbers read from what is shown. */

import { expect } from "@playwright/test";
import { SILENT, VERSION } from "../web/fragment.js";

/** @typedef {"nucleus" | "mass" | "entropy" | "choices"} NumberName */

/**
 * Types a value in place of what a number box has. Not fill: in Firefox it
 * writes before what is there.
 *
 * @param {import("@playwright/test").Locator} box
 * @param {number | string} value
 */
export async function fillNumber(box, value) {
  await box.press("ControlOrMeta+a");
  await box.pressSequentially(String(value));
}

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

    /** Waits until all that was asked of the engine is answered and drawn. */
    settled: () =>
      page.evaluate(async () => {
        const app = /** @type {HTMLScriptElement} */ (document.querySelector("[src$='app.js']"));
        const { engine } = await import(new URL("start.js", app.src).href);
        for (let quiet = 0; quiet < 2; quiet = engine.idle() ? quiet + 1 : 0)
          await new Promise(requestAnimationFrame);
      }),

    /** The parts of one setting. @param {string} label */
    setting: (label) => ({
      range: view.getByRole("slider", { name: label, exact: true }),
      box: view.getByRole("spinbutton", { name: `${label}, number`, exact: true }),
      used: view.getByRole("switch", { name: `Use ${label}`, exact: true }),
    }),

    /** Types a value into a number box. @param {string} label @param {number | string} value */
    async set(label, value) {
      const { box } = this.setting(label);
      await fillNumber(box, value);
      await box.press("Tab");
    },

    /** Uses the stages named and no other. @param {Record<string, number>} stages */
    async only(stages) {
      await button("Switch all off").click();
      for (const [label, value] of Object.entries(stages)) {
        await this.set(label, value);
        await expect(this.setting(label).used).toBeChecked();
      }
      await this.settled();
    },

    /** The text no longer ends where the model would end it. */
    endless: () => view.getByRole("switch", { name: /end token/ }).uncheck(),

    /** Runs twenty steps on. */
    async run() {
      const before = await this.drawnTokens.count();
      const start = view.getByRole("button", { name: /^Run/ }); // not "Take running"
      await start.click();
      await expect(this.drawnTokens).toHaveCount(before + 20, { timeout: 60_000 });
      await expect(start).toBeVisible();
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

/** What an address says that a first visit leaves unsaid. */
const START = {
  v: VERSION,
  prompt: "The cat ran after a",
  strategy: "sampling",
  stages: "temperature:0.8;top_k:40;top_p:0.9",
  seed: `${SILENT.seed}`,
  beams: "3,6,1",
  draws: "100,50,6,0",
};
const PANES = [
  "greedy!greedy!",
  "beam!beam,num_beams=4!",
  "pure!sampling!temperature:1",
  "topp!sampling!top_p:0.9",
];

/** A page in which other tests were before: an address that says all brings it back to the start.
 * @param {import("@playwright/test").Page} page */
export function createKeptPlayground(page) {
  const playground = createPlayground(page);
  return {
    ...playground,
    async open(fragment = "#explore", base = "./") {
      const [view, query] = fragment.split("?");
      const q = new URLSearchParams(query);
      for (const [name, value] of Object.entries(START)) if (!q.has(name)) q.set(name, value);
      if (!q.has("pane")) for (const pane of PANES) q.append("pane", pane);
      // Words that are being typed outlive a change of the address.
      await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
      await playground.open(view === "#lessons" ? view : `${view}?${q}`, base);
      await playground.settled();
    },
  };
}

/** "1,234", "74.2 %", "−1.55" @param {string} text */
export function numberIn(text) {
  const found = /[−-]?[\d,]*\.?\d+/.exec(text);
  return found ? Number(found[0].replace("−", "-").replaceAll(",", "")) : Number.NaN;
}

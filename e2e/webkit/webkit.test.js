/**
 * The page in WebKitGTK, which is close to Safari and not the same: what makes a
 * lesson possible, in one window. `make webkit`; e2e/ tests the rest in Chromium
 * and Firefox.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { startServer } from "../server.js";
import { keys, startWebKit } from "./driver.js";

/** @type {Awaited<ReturnType<typeof startServer>>} */
let server;
/** @type {Awaited<ReturnType<typeof startWebKit>>} */
let webkit;
before(async () => {
  server = await startServer();
  webkit = await startWebKit();
});
after(async () => {
  await webkit?.close();
  await server?.close();
});

const drawn = () => document.querySelectorAll(".sentence .text button").length;
const nucleus = () => document.querySelector('[data-num="nucleus"] .v')?.textContent ?? "";
const bars = () => document.querySelectorAll("table.bars .take").length === 12;

test("the first distribution, over the whole vocabulary", async () => {
  await webkit.open(server.url);
  await webkit.until("twelve bars", bars);
  await webkit.until("the nucleus", () =>
    document.querySelector('[data-num="nucleus"]')?.textContent?.includes("50,257"),
  );
});

test("a slider moves the numbers, and a token is drawn", async () => {
  const earlier = await webkit.evaluate(nucleus);
  await webkit.type('#view-explore [data-kind="top_p"] input[type=range]', keys.home);
  await webkit.until(
    "another nucleus",
    (old) => {
      const now = document.querySelector('[data-num="nucleus"] .v')?.textContent;
      return now && now !== old;
    },
    earlier,
  );
  await webkit.evaluate(() => {
    const buttons = [...document.querySelectorAll("#view-explore button")];
    /** @type {HTMLElement} */ (
      buttons.find(
        (b) =>
          b.textContent?.includes("Draw this token") && !(/** @type {HTMLElement} */ (b).hidden),
      )
    ).click();
  });
  await webkit.until("a token", drawn);
});

test("a reload keeps the text, and the model comes from the device", async () => {
  const text = () => document.querySelector(".sentence .text")?.textContent;
  const before = await webkit.evaluate(text);
  await webkit.until("the address", () => location.hash.includes("text="));
  await webkit.reload();
  await webkit.until("twelve bars", bars);
  await webkit.until(
    "the same text",
    (want) => {
      return document.querySelector(".sentence .text")?.textContent === want;
    },
    before,
  );
  const parts = await webkit.evaluate(() =>
    caches
      .open("models-1")
      .then((c) => c.keys())
      .then((k) => k.length),
  );
  assert.ok(parts >= 2);
});

test("every view and the widget show what they should", async () => {
  const shown = {
    compare: "#view-compare .pane .t",
    beams: "#view-beams .node.live",
    draws: "#view-draws .drawtable tbody th",
    lessons: "#view-lessons .lessoncards li",
  };
  for (const [view, selector] of Object.entries(shown)) {
    await webkit.evaluate((v) => {
      location.hash = `#${v}`;
    }, view);
    await webkit.until(view, (s) => document.querySelector(s) !== null, selector);
  }
  await webkit.open(
    `${server.url}embed.html#view=distribution&toy=capital&strategy=sampling&stages=top_p:0.9`,
  );
  await webkit.until("the widget", () =>
    /\d/.test(document.querySelector(".wsay b")?.textContent ?? ""),
  );
});

test("the same ids as everywhere", async () => {
  const file = new URL("../../wasm/testdata/pinned.json", import.meta.url);
  const { cases } = JSON.parse(await readFile(file, "utf8"));
  const [pin] = cases.filter((/** @type {any} */ c) => c.settings.strategy === "sampling");
  await webkit.open(server.url);
  await webkit.until("twelve bars", bars);
  const ids = await webkit.evaluate(
    async ({ prompt, settings, steps }, model) => {
      const app = /** @type {HTMLScriptElement} */ (
        document.querySelector("script[src$='app.js']")
      );
      const { createEngine } = await import(new URL("engine.js", app.src).href);
      const engine = createEngine();
      const info = await engine.loadModel(`models/${model}/`);
      const { tokens } = await engine.call("tokenize", {
        model: info.model,
        text: prompt,
        bos: false,
      });
      const ids = tokens.map((/** @type {{id: number}} */ t) => t.id);
      let status = await engine.call("open", { model: info.model, ids, settings });
      const { session } = status;
      await engine.call("feed", { session, count: 64 });
      for (let i = 0; i < steps; i++)
        [status] = (await engine.call("step", { sessions: [session] })).sessions;
      engine.close();
      return status.text.map((/** @type {{id: number}} */ s) => s.id);
    },
    pin,
    "storybook-4m",
  );
  assert.deepEqual(ids, pin.ids);
});

test("nothing was logged as an error", async () => {
  assert.deepEqual(await webkit.errors(), []);
  console.log(`WebKitGTK ${webkit.version}`);
});

import { once } from "node:events";
import { createServer } from "node:http";
import { SNIPPETS } from "../web/share/snippets.js";
import { expect, test } from "./fixtures.js";
import { findings, shoot } from "./looks.js";

/** @typedef {import("@playwright/test").Page} Page */

const COURSE = '<!doctype html><title>Course</title><link rel="icon" href="data:,">';

/** Messages that a page gets from its frame. @param {Page} page */
const messages = (page) => page.evaluate(() => /** @type {any} */ (window).got);

/** Asks the frame of a page that holds one, and waits for the answer. @param {Page} page @param {object} message */
const ask = (page, message) =>
  page.evaluate(
    (m) =>
      new Promise((resolve) => {
        const id = `${Math.random()}`;
        addEventListener("message", function listen({ data }) {
          if (data?.type !== "decoding-playground:answer" || data.id !== id) return;
          removeEventListener("message", listen);
          resolve({ result: data.result, error: data.error });
        });
        const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));
        frame.contentWindow?.postMessage({ ...m, id }, "*");
      }),
    message,
  );

/** Somebody's page, with nothing in it. @param {Page} page @param {string} address */
async function coursePage(page, address) {
  await page.route("**/course.html", (route) =>
    route.fulfill({ contentType: "text/html", body: COURSE }),
  );
  await page.goto(address);
}

/** Puts a widget into the page, and keeps what it says. @param {Page} page @param {string} address */
const embed = (page, address) =>
  page.evaluate((src) => {
    const got = /** @type {any[]} */ ([]);
    Object.assign(window, { got });
    addEventListener("message", ({ data }) => got.push(data));
    const frame = document.createElement("iframe");
    Object.assign(frame, { width: "500", height: "300", src });
    frame.style.border = "0";
    document.body.replaceChildren(frame);
  }, address);

/** A page of this host with one widget in a frame. @param {Page} page @param {string} fragment */
async function host(page, fragment) {
  await coursePage(page, "./course.html");
  await embed(page, `embed.html#${fragment}`);
  await expect
    .poll(async () => (await messages(page)).some((/** @type {any} */ m) => m.name === "ready"), {
      timeout: 45_000,
    })
    .toBe(true);
}

const SAMPLING = "v=1&prompt=Once+upon+a&strategy=sampling&stages=temperature:1;top_p:0.9&seed=21";

test("four widgets on one page: the model is loaded once, none scrolls, each answers @everywhere", async ({
  page,
}) => {
  test.slow();
  /** @type {string[]} */
  const parts = [];
  page.on("request", (r) => {
    if (/part-\d+/.test(r.url())) parts.push(r.url());
  });
  await page.goto("./embed-demo.html");
  const frames = page.locator("iframe");
  await expect(frames).toHaveCount(4);
  for (let i = 0; i < 4; i++) {
    const frame = frames.nth(i);
    await frame.scrollIntoViewIfNeeded();
    const inside = frame.contentFrame();
    const start = inside.getByRole("button", { name: "Start here" });
    if (i === 1) {
      await expect(inside.getByText("already on this page")).toBeVisible({ timeout: 45_000 });
      await start.click();
    }
    await expect(inside.locator(".poster")).toBeHidden({ timeout: 45_000 });
    const scrolls = await inside.locator("html").evaluate((html) => {
      const body = html.ownerDocument.body;
      return [
        html.scrollHeight - html.clientHeight,
        html.scrollWidth - html.clientWidth,
        body.scrollHeight - innerHeight,
      ];
    });
    for (const by of scrolls) expect(by).toBeLessThanOrEqual(0);
  }
  expect(new Set(parts).size).toBe(parts.length);

  await expect(page.locator("#answer")).toHaveText(/nucleus_size \d+/);
  const before = await page.locator("#answer").textContent();
  await page.getByRole("button", { name: "p = 0.5", exact: true }).click();
  await expect(page.locator("#answer")).not.toHaveText(before ?? "");
  await page.getByRole("button", { name: "Draw a token" }).click();
  await expect(page.locator("#answer")).toHaveText(/text “.+”/);
  await expect(frames.first().contentFrame().locator(".drawn-tokens .t")).toHaveCount(1);
});

for (const part of ["distribution", "compare", "beams", "draws"])
  test(`the part ${part} is whole at 500 by 300 and answers`, async ({ page }) => {
    await host(page, `view=${part}&${SAMPLING}`);
    const names = ["vocab_size", "seed", "pane_count"];
    // What is not known yet is null: the panes may still be reading the prompt.
    await expect
      .poll(async () => {
        const answer = /** @type {any} */ (
          await ask(page, { type: "decoding-playground:get", names })
        );
        return answer.result;
      })
      .toEqual([50257, 21, part === "compare" ? 2 : 1]);
    const inside = page.locator("iframe").contentFrame();
    const cut = await inside.locator(`#part-${part}`).evaluate((root) => {
      const bad = [];
      for (const el of root.querySelectorAll("button, a, input, select")) {
        const box = el.getBoundingClientRect();
        if (!box.width || !(/** @type {HTMLElement} */ (el).checkVisibility())) continue;
        if (box.bottom > innerHeight || box.right > innerWidth || box.top < 0 || box.left < 0)
          bad.push(el.outerHTML.slice(0, 80));
      }
      return bad;
    });
    expect(cut).toEqual([]);
    for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
      await page.emulateMedia({ colorScheme });
      await shoot(page, `widget-${part}-${colorScheme}`);
      expect.soft(await findings(page.frames()[1]), colorScheme).toEqual([]);
    }
    const heights = (await messages(page)).filter(
      (/** @type {any} */ m) => m.type === "decoding-playground:height",
    );
    expect(heights.at(-1).height).toBe(300);
    expect(
      (await messages(page)).some(
        (/** @type {any} */ m) => m.subject === "lti.frameResize" && m.height === 300,
      ),
    ).toBe(true);
  });

test("what a view can't do is refused, and a text without room for more is no error", async ({
  page,
}) => {
  const call = (/** @type {object} */ m) => ask(page, m);
  await host(
    page,
    "view=compare&prompt=Once+upon+a&pane=greedy!greedy!&pane=topp!sampling!top_p:0.9",
  );
  expect(await call({ type: "decoding-playground:run", steps: 1 })).toHaveProperty("error");
  expect(
    await call({ type: "decoding-playground:set", state: { temperature: 0.5 } }),
  ).toHaveProperty("error");
  expect(await call({ type: "decoding-playground:set", state: { seed: 5 } })).toEqual({
    result: null,
  });
  await host(page, "view=distribution&kept=spaceship");
  expect(await call({ type: "decoding-playground:run", steps: 2 })).toEqual({ result: null });
  const names = ["new_tokens"];
  expect(
    await call({ type: "decoding-playground:set", state: { prompt: "The cat" } }),
  ).toHaveProperty("error");
  expect(await call({ type: "decoding-playground:get", names })).toEqual({ result: [1] });
  const events = (await messages(page)).map((/** @type {any} */ m) => m.name);
  expect(events).not.toContain("error");
});

test("what the model does not take of an address is left out, and named", async ({ page }) => {
  await page.goto(`./embed.html#view=distribution&${SAMPLING}&end=hello+world`);
  await expect(page.locator(".wproblem").first()).toContainText("end hello world", {
    timeout: 45_000,
  });
  await page.locator(".wdraw").click();
  await expect(page.locator(".wtext .drawn-tokens .t")).toHaveCount(1);
});

test("the host sets, runs and gets, and is told of errors by name @everywhere", async ({
  page,
}) => {
  await host(page, `view=distribution&${SAMPLING}`);
  const call = (/** @type {object} */ m) => ask(page, m);
  expect(
    await call({ type: "decoding-playground:set", state: { top_p: 0, die: 0.99, seed: 5 } }),
  ).toEqual({ result: null });
  const names = ["kept_count", "die", "seed", "top_p", { var: "prob", token: "time" }, "no_such"];
  const { result } = /** @type {any} */ (await call({ type: "decoding-playground:get", names }));
  expect(result.slice(0, 5)).toEqual([1, 0.99, 5, 0, 1]);
  expect(result[5]).toBe(null);
  expect(await call({ type: "decoding-playground:run", steps: 3 })).toEqual({ result: null });
  const text = /** @type {any} */ (
    await call({ type: "decoding-playground:get", names: ["new_tokens", "text"] })
  );
  expect(text.result[0]).toBe(3);
  await call({ type: "decoding-playground:run", steps: -2 });
  const back = /** @type {any} */ (
    await call({ type: "decoding-playground:get", names: ["new_tokens"] })
  );
  expect(back.result[0]).toBe(1);
  const wrong = /** @type {any} */ (
    await call({ type: "decoding-playground:set", state: { top_p: 7 } })
  );
  expect(wrong.error).toMatch(/^top_p: 7, want /);
  const torn = { prompt: "", top_p: 0.3 };
  expect(await call({ type: "decoding-playground:set", state: torn })).toHaveProperty("error");
  expect(await call({ type: "decoding-playground:get", names: ["top_p"] })).toEqual({
    result: [0],
  });
  const events = (await messages(page)).map((/** @type {any} */ m) => m.name).filter(Boolean);
  for (const name of ["ready", "change", "step"]) expect(events).toContain(name);
});

test("the search of Beams and the throws of Draws are steered by the host", async ({ page }) => {
  const set = (/** @type {object} */ state) =>
    ask(page, { type: "decoding-playground:set", state });
  const run = (/** @type {number} */ steps) =>
    ask(page, { type: "decoding-playground:run", steps });
  const get = (/** @type {string[]} */ ...names) =>
    ask(page, { type: "decoding-playground:get", names });
  await host(page, `view=beams&${SAMPLING}`);
  const inside = page.locator("iframe").contentFrame();
  expect(await set({ num_beams: 2, length_penalty: 0 })).toEqual({ result: null });
  expect(await get("num_beams", "length_penalty")).toEqual({ result: [2, 0] });
  await expect(inside.locator("#beam-n")).toHaveValue("2");
  expect(await set({ strategy: "sampling" })).toEqual({
    error: 'strategy: "sampling", want beam',
  });
  await host(page, `view=draws&${SAMPLING}`);
  expect(await run(1000)).toEqual({ result: null });
  expect(await get("draws")).toEqual({ result: [1000] });
  await host(page, `view=distribution&${SAMPLING}`);
  expect(await run(201)).toEqual({ error: "run: 201 tokens, want -200 to 200" });
});

test("a page at another origin is not heard, unless the address names it @everywhere", async ({
  page,
  server,
}) => {
  const course = createServer((_, answer) =>
    answer.setHeader("content-type", "text/html").end(COURSE),
  ).listen(0, "127.0.0.1");
  await once(course, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (course.address());
  const origin = `http://127.0.0.1:${port}`;
  for (const named of [false, true]) {
    await page.goto(origin);
    const who = named ? `&host=${origin}` : "";
    const src = `${server.url}embed.html#view=distribution&${SAMPLING}${who}`;
    await embed(page, src);
    const inside = page.locator("iframe").contentFrame();
    await expect(inside.locator(".wsay b").first()).toHaveText(/\d/, { timeout: 45_000 });
    const question = { type: "decoding-playground:get", names: ["seed"] };
    if (named) {
      expect(await ask(page, question)).toEqual({ result: [21], error: undefined });
      continue;
    }
    await page.evaluate((m) => frames[0].postMessage({ ...m, id: "unheard" }, "*"), question);
    // The frame has done all that it was told when it has drawn once more.
    await inside.getByRole("button", { name: "Draw" }).click();
    await expect(inside.locator(".drawn-tokens .t")).toHaveCount(1);
    const told = (await messages(page)).filter(
      (/** @type {any} */ m) =>
        m.type !== "decoding-playground:height" && m.subject !== "lti.frameResize",
    );
    expect(told).toEqual([]);
  }
  course.close();
  course.closeAllConnections();
});

test("hostile messages change nothing and break nothing @everywhere", async ({ page }) => {
  await host(page, `view=distribution&${SAMPLING}`);
  await page.evaluate(() => {
    const frame = /** @type {HTMLIFrameElement} */ (document.querySelector("iframe"));
    const throwing = { type: "decoding-playground:run", id: 1, steps: { valueOf: "x" } };
    for (const m of [
      null,
      1,
      "x",
      [],
      {},
      throwing,
      { type: "decoding-playground:__proto__", id: 1 },
      { type: "decoding-playground:set", id: 2, state: { prompt: "x".repeat(1e6) } },
      {
        type: "decoding-playground:set",
        id: 3,
        state: JSON.parse('{"__proto__": {"a": 1}, "constructor": 1}'),
      },
      { type: "decoding-playground:run", id: 4, steps: 1e9 },
    ])
      frame.contentWindow?.postMessage(m, "*");
    document.body.append(document.createElement("iframe"));
  });
  // A frame beside it is not the page above.
  await page
    .frames()[2]
    .evaluate(() =>
      parent.frames[0].postMessage({ type: "decoding-playground:run", id: 9, steps: 5 }, "*"),
    );
  const { result } = /** @type {any} */ (
    await ask(page, { type: "decoding-playground:get", names: ["new_tokens", "top_p"] })
  );
  expect(result).toEqual([0, 0.9]);
  const inside = page.locator("iframe").first().contentFrame();
  await expect(inside.locator(".wtext .given")).toHaveText("Once upon a");
});

test("in a book of MyST a lesson is as high as it has to be", async ({ page }) => {
  await coursePage(page, "./course.html");
  const module = await (await page.request.get("./anywidget.js")).text();
  await page.route("**/book/static.mjs", (route) =>
    route.fulfill({ contentType: "text/javascript", body: module }),
  );
  const site = new URL(".", page.url()).href;
  const snippet = SNIPPETS["MyST, Jupyter Book 2"]({
    base: site,
    fragment: "view=lesson&lesson=softmax/scores",
    title: 'Scores, "and" more',
  });
  const [head, model] = snippet.split("\n");
  expect(head).toBe(`:::{anywidget} ${site}anywidget.js`);
  // As the theme does it: a copy of the module, in a shadow tree.
  await page.evaluate(async (model) => {
    const { default: widget } = await import(`${location.origin}/book/static.mjs`);
    const root = document.body.appendChild(document.createElement("div"));
    root.style.inlineSize = "600px";
    const el = document.createElement("div");
    root.attachShadow({ mode: "open" }).replaceChildren(el);
    const get = (/** @type {string} */ name) => model[name];
    Object.assign(window, { away: widget.render({ model: { get }, el }) });
  }, JSON.parse(model));
  const frame = page.locator("iframe");
  const inside = frame.contentFrame();
  await expect(inside.getByRole("heading", { level: 1 })).toBeVisible({ timeout: 45_000 });
  await expect(frame).toHaveAttribute("title", 'Scores, "and" more');
  await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(500);
  const over = () =>
    inside.locator("html").evaluate((html) => html.scrollHeight - html.clientHeight);
  await expect.poll(over).toBeLessThanOrEqual(0);
  await page.evaluate(() => /** @type {any} */ (window).away());
  await expect(frame).toHaveCount(0);
});

test("nothing is loaded before the reader asks", async ({ page }) => {
  /** @type {string[]} */
  const asked = [];
  page.on("request", (r) => asked.push(new URL(r.url()).pathname));
  await page.goto(`./embed.html#view=distribution&start=click&${SAMPLING}`);
  await expect(page.getByText(/Loads a model of/)).toBeVisible();
  expect(asked.filter((path) => /wasm|part-/.test(path))).toEqual([]);
  await page.getByRole("button", { name: "Start here" }).press("Enter");
  await expect(page.locator(".wsay b").first()).toHaveText(/\d/, { timeout: 45_000 });
});

test("the widget is used with the keyboard alone", async ({ page }) => {
  await page.goto(`./embed.html#view=distribution&${SAMPLING}&slider=top_p`);
  await expect(page.locator(".wsay b").first()).toHaveText(/\d/, { timeout: 45_000 });
  await expect(page.locator(".poster")).toBeHidden(); // until then nothing takes the focus
  const range = page.getByRole("slider", { name: "Top-p" });
  const kept = Number(await page.locator(".wsay b").first().textContent());
  await range.focus();
  await page.keyboard.press("Home");
  await expect(page.locator(".wsay b").first()).toHaveText("1");
  expect(kept).toBeGreaterThan(1);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Draw" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator(".drawn-tokens .t")).toHaveCount(1);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator(".drawn-tokens .t")).toHaveCount(0);
});

test("a toy needs no model", async ({ page }) => {
  /** @type {string[]} */
  const asked = [];
  page.on("request", (r) => asked.push(new URL(r.url()).pathname));
  await page.goto(
    "./embed.html#view=distribution&toy=capital&v=1&strategy=sampling&stages=temperature:1&seed=1",
  );
  await expect(page.locator(".wsay b").first()).toHaveText(/\d/, { timeout: 45_000 });
  expect(asked.filter((path) => path.includes("/models/"))).toEqual([]);
});

import { expect, test } from "./fixtures.js";

/**
 * Browsers that lack something: the page works without it, or says in plain words
 * that it cannot. What is missing is taken away before the page's own code runs.
 */

/** Puts code before the engine's worker. @param {import("@playwright/test").Page} page @param {string} code */
const inWorker = (page, code) =>
  page.route("**/worker.js", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: `${code};${await answer.text()}` });
  });

const NO_CACHE = "Object.defineProperty(self, 'caches', { value: undefined })";
const NO_LOCKS = "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })";

test("without SIMD the same numbers come, from the plain engine", async ({ page, playground }) => {
  await playground.open();
  const rows = await playground.rows();
  await page.addInitScript("WebAssembly.validate = () => false");
  const plain = page.waitForRequest(/engine-nosimd\.wasm/);
  await page.reload();
  await plain;
  await playground.ready();
  await expect.poll(() => playground.rows()).toEqual(rows);
});

test("without storage the model runs from memory, and the address keeps what was typed", async ({
  page,
  playground,
}) => {
  await page.addInitScript(NO_CACHE);
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("no", "SecurityError");
      },
    });
  });
  await inWorker(page, `${NO_CACHE};${NO_LOCKS.replace("Navigator", "WorkerNavigator")}`);
  await playground.open();
  await playground.type("My own words");
  await expect(playground.promptTokens).toHaveCount(3);
  await expect.poll(() => page.url()).toContain("My+own+words");
  await page.reload();
  await playground.ready();
  // The address alone has kept it.
  await expect(playground.promptTokens).toHaveCount(3);
  // The menu promises nothing that can't be had.
  await page.getByRole("button", { name: /Choose a model/ }).click();
  await expect(page.locator(".modellist li").first()).toContainText("can’t store models");
});

test("without Web Locks the model is loaded and kept all the same", async ({
  page,
  playground,
  host,
}) => {
  await page.addInitScript(NO_LOCKS);
  await inWorker(page, NO_LOCKS.replace("Navigator", "WorkerNavigator"));
  await playground.open("", host.url);
  const parts = () => host.requests.filter((path) => /part-\d+/.test(path)).length;
  const first = parts();
  await page.reload();
  await playground.ready();
  expect(parts()).toBe(first);
});

test.describe("what it cannot do without", () => {
  test.use({ allowedErrors: /import statement|module|WebAssembly/ });

  test("without module workers: said in words", async ({ page }) => {
    // The options are not even looked at.
    await page.addInitScript(() =>
      Object.assign(window, {
        Worker: new Proxy(Worker, { construct: (Old, [url]) => new Old(url) }),
      }),
    );
    await page.goto("./");
    await expect(page.locator(".state:visible")).toContainText("module workers");
  });

  test("without WebAssembly: said in words", async ({ page }) => {
    await inWorker(page, "delete self.WebAssembly");
    await page.goto("./");
    await expect(page.locator(".state:visible")).toContainText("WebAssembly");
  });
});

test("timers that wake once a second, as in a tab behind, hold nothing up", async ({
  page,
  playground,
}) => {
  await page.addInitScript(() => {
    const wait = window.setTimeout;
    // @ts-expect-error: only what the page uses of it
    window.setTimeout = (f, ms = 0, ...args) => wait(f, Math.max(1000, ms), ...args);
  });
  await playground.open();
  for (let n = 1; n <= 3; n++) {
    await playground.button("Draw this token").click();
    await expect(playground.drawnTokens).toHaveCount(n);
  }
  const before = await playground.number("nucleus");
  await playground.set("Top-p", 0.9999);
  await expect.poll(() => playground.number("nucleus")).not.toBe(before);
});

import { readFile } from "node:fs/promises";
import { expect, test } from "./fixtures.js";

/**
 * Nothing that comes from outside becomes code or markup. Every test fails, too,
 * when the page logs an error, and that is how a browser tells that its policy
 * had to stop something.
 */

const MARKUP = '<img src=x onerror="pwned=1"><script>pwned=1</script>';

/** Nothing of the markup ran or is an element. @param {import("@playwright/test").Page} page */
async function expectHarmless(page) {
  const found = await page.evaluate(() => ({
    pwned: "pwned" in globalThis,
    elements: document.querySelectorAll("img[onerror], body script, iframe:not([title])").length,
    links: [...document.links].filter((a) => !/^https?:$/.test(a.protocol)).length,
  }));
  expect(found).toEqual({ pwned: false, elements: 0, links: 0 });
}

test.describe("what the policy forbids", () => {
  test.use({ allowedErrors: /Content.Security.Policy|Trusted|violates|blocked/i });

  test("text never becomes code or markup, and no other host is reached @everywhere", async ({
    page,
    baseURL,
  }) => {
    await page.route("**/tries.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: `(${tries})()` }),
    );
    for (const name of ["index.html", "embed.html"]) {
      await page.goto(`${baseURL}${name}#view=distribution&start=click&lessons`);
      const base = page.url().replace(/[^/]*$/, "");
      await page.evaluate((url) => import(url), `${base}tries.js`);
      await expect
        .poll(() => page.evaluate(() => /** @type {any} */ (globalThis).tried))
        .toEqual({
          eval: "EvalError",
          Function: "EvalError",
          markup: "TypeError",
          document: "TypeError",
          handler: "none",
          inline: "none",
          worker: "refused",
          elsewhere: "refused",
        });
      await expectHarmless(page);
    }
  });
});

/** Runs in the page as a script of its own, which a debugger's text would not be. */
async function tries() {
  /** @type {Record<string, string>} */
  const tried = {};
  const attempt = (/** @type {string} */ name, /** @type {() => unknown} */ run) => {
    try {
      run();
      tried[name] = "ran";
    } catch (error) {
      tried[name] = /** @type {Error} */ (error).name;
    }
  };
  const all = /** @type {any} */ (globalThis);
  attempt("eval", () => all.eval("1"));
  attempt("Function", () => new Function("return 1"));
  attempt("markup", () => {
    document.createElement("p").innerHTML = "<b>x</b>";
  });
  attempt("document", () => document.write("x"));
  const button = document.createElement("button");
  try {
    button.setAttribute("onclick", "pwned = 1");
    button.click();
  } catch {
    // Some browsers refuse it already here.
  }
  tried.handler = "pwned" in all ? "ran" : "none";
  const script = document.createElement("script");
  try {
    script.append("pwned = 1");
    document.head.append(script);
  } catch {
    // likewise
  }
  script.remove();
  tried.inline = "pwned" in all ? "ran" : "none";
  try {
    const worker = new Worker("data:text/javascript,postMessage(1)");
    tried.worker = await new Promise((resolve) => {
      worker.onmessage = () => resolve("ran");
      worker.onerror = () => resolve("refused");
    });
  } catch {
    tried.worker = "refused";
  }
  // Another port is another origin.
  tried.elsewhere = await fetch("http://127.0.0.1:9/").then(
    () => "ran",
    () => "refused",
  );
  all.tried = tried;
}

test("a hostile link is words", async ({ page, playground }) => {
  const q = new URLSearchParams({
    v: "1",
    prompt: `${MARKUP} \u202eabc\u0000`,
    model: MARKUP,
    strategy: MARKUP,
    stages: `${MARKUP}:1;__proto__:1;top_p:${MARKUP}`,
    seed: MARKUP,
    stop: MARKUP,
    die: "javascript:alert(1)",
  });
  q.append("pane", `${MARKUP}!sampling!top_p:0.5`);
  q.append("pane", `own!${MARKUP}!${MARKUP}`);
  await playground.open(`#compare?${q}`);
  await expectHarmless(page);
  await page.goto(`./#explore?${q}`);
  await playground.ready();
  await expect(page.locator(".linknote")).toContainText("<img");
  await expect(playground.text).toContainText("onerror");
  await expectHarmless(page);
});

test("a hostile lesson is refused by name, and what is allowed of it is words", async ({
  page,
}) => {
  const file = new URL("../web/lessons/en/top-p.json", import.meta.url);
  const good = JSON.parse(await readFile(file, "utf8"));
  const drop = (/** @type {object} */ lesson) =>
    page.locator("#lesson-file").setInputFiles({
      name: `${MARKUP.slice(0, 20)}.json`,
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify(lesson)),
    });
  await page.goto("./#lessons");
  const told = page.locator(".filetold");
  for (const [part, says] of /** @type {[object, string][]} */ ([
    [{ title: MARKUP }, "title"],
    [{ id: "../x" }, "id"],
    [{ references: [{ ...good.references[0], url: "javascript:pwned=1" }] }, "references[0].url"],
    [JSON.parse('{"__proto__": {"title": "x"}, "toString": 1}'), "toString"],
  ])) {
    await drop({ ...good, id: "hostile", ...part });
    await expect(told).toContainText(says);
    await expectHarmless(page);
  }
  const [first, ...rest] = good.steps;
  const text = "`javascript:` [x](lesson:top-p) *a* [y](https://evil.example) &lt;b&gt;";
  await drop({ ...good, id: "hostile", steps: [{ ...first, text }, ...rest] });
  await expect(page.locator(".lesson").getByText("&lt;b&gt;").first()).toBeVisible();
  const away = await page
    .locator(".lesson a")
    .evaluateAll((links) =>
      links.filter((a) => /evil/.test(/** @type {HTMLAnchorElement} */ (a).href)),
    );
  expect(away).toEqual([]);
  await expectHarmless(page);
});

test("hostile text in the prompt is text: markup, direction, NUL, and a megabyte of it", async ({
  page,
  playground,
}) => {
  await playground.open();
  await playground.type(`${MARKUP}\u202e\u0000\u2066</textarea>`);
  await expect(playground.text).toContainText("onerror");
  await expect(playground.take.first()).toBeVisible();
  await expectHarmless(page);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await page.getByRole("tab", { name: "Export" }).click();
  await page.getByRole("button", { name: "JSON" }).first().click();
  expect((await download).suggestedFilename()).toMatch(/^[a-z0-9-]+\.json$/);
  await page.keyboard.press("Escape");

  await playground.type(MARKUP.repeat(1e6 / MARKUP.length));
  await expect(page.locator(".state:visible")).toContainText("tokens", { timeout: 30_000 });
  await expectHarmless(page);
  await playground.type("Hello");
  await expect(playground.promptTokens).toHaveText(["Hello"]);
});

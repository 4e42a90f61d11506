import { expect, test } from "./fixtures.js";
import { createPlayground } from "./playground.js";
import { startServer } from "./server.js";

/** What happens to a page in the middle of its work. */

test.use({
  allowedErrors: /the engine fell over|Failed to load resource|ERR_CONNECTION|dynamically imported/,
});

test("the engine ends: the page says so, and goes on where it was", async ({
  page,
  playground,
}) => {
  await playground.open();
  await playground.type("My own words");
  await expect(playground.promptTokens).toHaveCount(3);
  await playground.set("Top-p", 0.66);
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  const text = await playground.textNow();

  const [worker] = page.workers();
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error("the engine fell over");
    });
  });
  const state = page.locator(".state:visible");
  await expect(state).toContainText("the engine fell over");
  await state.getByRole("button").first().click();
  await expect(state).toHaveCount(0);
  await expect(playground.text).toContainText("My own words");
  await expect(playground.setting("Top-p").box).toHaveValue("0.66");
  await expect.poll(() => playground.textNow()).toEqual(text);
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(2);
});

test("what was typed right before a crash is kept", async ({ page, playground }) => {
  await playground.open();
  await page.getByRole("button", { name: "Edit" }).first().click();
  await page.getByRole("textbox", { name: "Prompt" }).fill("Half a sent");
  await page.workers()[0].evaluate(() => {
    setTimeout(() => {
      throw new Error("the engine fell over");
    });
  });
  const state = page.locator(".state:visible");
  await state.getByRole("button").first().click();
  await expect(state).toHaveCount(0);
  await expect(playground.promptTokens).toHaveText(["Half", " a", " sent"]);
});

test("the worker ends without a word: the page finds out, and goes on", async ({
  page,
  playground,
}) => {
  await playground.open();
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  const text = await playground.textNow();
  await page.workers()[0].evaluate(() => self.close());
  const state = page.locator(".state:visible");
  await expect(state).toContainText("the worker ended");
  await state.getByRole("button").first().click();
  await expect(state).toHaveCount(0);
  await expect.poll(() => playground.textNow()).toEqual(text);
});

test("the server ends and comes back while the page is open", async ({ page }) => {
  test.skip(Boolean(process.env.E2E_URL), "the server has to be stopped");
  let server = await startServer();
  const { port } = new URL(server.url);
  const playground = createPlayground(page);
  await playground.open("#explore?prompt=My+own+words", server.url);
  await server.close();

  // What is there goes on; what has to be fetched is told to be missing.
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  const text = await playground.textNow();
  await page.getByRole("button", { name: "Share" }).click();
  await expect(page.locator(".refused:visible")).toHaveText(/\S/);

  server = await startServer(port);
  try {
    await page.reload();
    await playground.ready();
    await expect(playground.text).toContainText("My own words");
    await expect.poll(() => playground.textNow()).toEqual(text);
    await page.getByRole("button", { name: "Share" }).click();
    await expect(page.getByRole("dialog", { name: "Share" })).toBeVisible();
  } finally {
    await server.close();
  }
});

test("another model is chosen in the middle of a run", async ({
  page,
  host,
  playground,
  server,
}) => {
  // The default model again, in a folder of another name.
  const file = async (/** @type {string} */ path) =>
    Buffer.from(await (await fetch(new URL(`models/${path}`, server.url))).arrayBuffer());
  const [model] = JSON.parse((await file("index.json")).toString());
  const models = [model, { ...model, id: "second", name: "Second" }];
  const { parts } = JSON.parse((await file(`${model.id}/manifest.json`)).toString());
  host.serve("/models/index.json", Buffer.from(JSON.stringify(models)));
  for (const name of ["manifest.json", ...parts.map((/** @type {{file: string}} */ p) => p.file)])
    host.serve(`/models/second/${name}`, await file(`${model.id}/${name}`));
  await playground.open("#explore?v=1&strategy=greedy&stages=&eos=0", host.url);
  await playground.button("Run").click();
  await page.locator(".modelbtn").click();
  await page.getByRole("button", { name: /^Second/ }).click();
  await expect(page).toHaveURL(/model=second:/);
  await page.keyboard.press("Escape");
  await expect(playground.button("Run")).toBeVisible();
  await playground.settled();
  const before = await playground.drawnTokens.count();
  await playground.button("Take this token").click();
  await expect(playground.drawnTokens).toHaveCount(before + 1);
  await expect(page.locator(".refused:visible")).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  for (const name of ["index.html", "embed.html"])
    test(`${name} says that it needs it`, async ({ page, server }) => {
      await page.goto(new URL(name, server.url).href);
      const note = page.locator("noscript p");
      await expect(note).toBeVisible();
      await expect(note).toContainText("It needs JavaScript");
    });
});

test.describe("a site that is not whole", () => {
  test.use({ allowedErrors: /404|Failed to load resource|MIME/ });
  test("says so where a part of the code is missing", async ({ page, host }) => {
    host.fail(/\/explore\.js/, (answer) => void answer.writeHead(404).end());
    await page.goto(host.url);
    await expect(page.locator(".broken")).toBeVisible();
  });
  test("says so in a frame, too", async ({ page, host }) => {
    host.fail(/\/widget\/patch\.js/, (answer) => void answer.writeHead(404).end());
    await page.goto(new URL("embed.html", host.url).href);
    await expect(page.locator(".broken")).toBeVisible();
    await expect(page.locator(".start")).toBeHidden();
  });
  test("says that its list of models is none", async ({ page, host }) => {
    host.serve("/models/index.json", Buffer.from("<!doctype html>"));
    await page.goto(host.url);
    await expect(page.locator(".state:visible")).toContainText("answered with something else");
  });
});

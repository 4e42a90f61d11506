import { expect, keptTest as test } from "./fixtures.js";

test.afterEach(({ page }) => page.keyboard.press("Escape"));

/** @param {import("@playwright/test").Page} page */
const dialog = (page) => page.getByRole("dialog", { name: "Share" });

/** @param {import("@playwright/test").Page} page @param {string} tab */
async function share(page, tab) {
  await page.getByRole("button", { name: "Share" }).click();
  await dialog(page).getByRole("tab", { name: tab }).click();
}

/** Ids of the generated tokens, as the link has them. @param {string} link */
const idsIn = (link) => /[?&]text=([^&]*)/.exec(link)?.[1] ?? "";

test("the same link gives the same text, forced token and order included @everywhere", async ({
  page,
  context,
  playground,
}) => {
  await playground.open(
    "#explore?v=1&prompt=Once+upon+a&strategy=sampling&stages=top_p:0.95;temperature:1.3;top_k:0&seed=0",
  );
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  await playground.take.nth(3).click();
  await expect(playground.drawnTokens).toHaveCount(2);
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(3);
  const text = await playground.textNow();

  await share(page, "Link");
  const link = await dialog(page).getByRole("textbox", { name: "Link" }).inputValue();
  expect(link).toMatch(/v=1&.*model=storybook-4m:[0-9a-f]{8}&.*seed=0/);
  expect(link).toContain("stages=top_p:0.95;temperature:1.3;top_k:0");
  expect(idsIn(link)).toMatch(/^\d+\.!\d+\.\d+$/);
  expect(link.length).toBeLessThan(300);

  // Somebody else's browser, which has kept nothing.
  const other = await context.browser()?.newContext();
  const theirs = await /** @type {import("@playwright/test").BrowserContext} */ (other).newPage();
  await theirs.goto(link);
  await expect(theirs.locator(".sentence .drawn-tokens button")).toHaveText(text);
  await expect(theirs.locator(".sentence .drawn-tokens button.forced")).toHaveCount(1);
  await expect(theirs.getByRole("spinbutton", { name: "Top-k, number" })).toHaveValue("0");
  await expect.poll(() => idsIn(theirs.url())).toBe(idsIn(link));
  await other?.close();
});

test("a link without the text begins at the prompt", async ({ page, playground }) => {
  await playground.open("#explore?prompt=Once+upon+a");
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  await share(page, "Link");
  const field = dialog(page).getByRole("textbox", { name: "Link" });
  await expect(field).toHaveValue(/text=/);
  await dialog(page).getByRole("switch", { name: /text/ }).uncheck();
  await expect(field).not.toHaveValue(/text=/);
});

test("a reload keeps all, also what no link holds", async ({ page, playground }) => {
  await playground.open("#explore?prompt=Once+upon+a");
  for (let n = 1; n <= 2; n++) {
    await playground.button("Draw this token").click();
    await expect(playground.drawnTokens).toHaveCount(n);
  }
  await playground.drawnTokens.nth(1).click();
  await playground.button("Fork here").click();
  await expect(page.getByRole("button", { name: "Branch B", exact: true })).toBeVisible();
  await expect.poll(() => idsIn(page.url())).toMatch(/^\d+$/);
  await page.reload();
  await playground.ready();
  await expect(page.getByRole("button", { name: "Branch A", exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Branch B", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

test("a link that is followed inside the page is taken up", async ({ page, playground }) => {
  await playground.open("#explore?prompt=Once+upon+a");
  await page.evaluate(() => {
    location.hash =
      "#compare?v=1&prompt=The+king&strategy=sampling&stages=&seed=3&pane=greedy!greedy!&pane=own!sampling!top_k:2&length=30";
  });
  const panes = page.locator("#view-compare .pane");
  await expect(panes).toHaveCount(2);
  await expect(panes.nth(1)).toContainText("k 2");
  await expect(panes.first().locator(".given")).toHaveText("The king");
});

test("hostile links are named in words and run nothing", async ({ page, playground }) => {
  const evil = "<img src=x onerror=\"document.title='owned'\">";
  const q = encodeURIComponent(evil);
  await playground.open(
    `#explore?v=9&prompt=${q}&strategy=${q}&stages=${q}:1;top_p:7&text=${q}&die=${q}&model=${q}&list=${q}=${q}`,
  );
  const note = page.locator(".linknote");
  await expect(note).toBeVisible();
  await expect(note).toContainText("version 9");
  await expect(note).toContainText("top_p 7");
  expect(await page.evaluate(() => document.querySelectorAll("main img").length)).toBe(0);
  expect(await page.title()).not.toBe("owned");
  await note.getByRole("button", { name: "Close" }).click();
  await expect(note).toBeHidden();
});

test("every snippet and the Python can be copied, and say so", async ({
  page,
  playground,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await playground.open();
  await share(page, "Python");
  const code = dialog(page).getByRole("textbox", { name: "Python" });
  await expect(code).toHaveValue(/do_sample=True,\s+temperature=0\.8,\s+top_k=40,\s+top_p=0\.9/);
  const panel = dialog(page).locator("[role=tabpanel]:not([hidden])");
  await panel.getByRole("button", { name: "Copy" }).click();
  await expect(panel.getByRole("button", { name: "Copied" })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await code.inputValue());

  await dialog(page).getByRole("tab", { name: "Embed" }).click();
  const snippet = dialog(page).getByRole("textbox", { name: "Snippet" });
  for (const tool of await dialog(page).getByLabel("For").locator("option").allTextContents()) {
    await dialog(page).getByLabel("For").selectOption(tool);
    await expect(snippet).toHaveValue(/embed\.(html#|js")|anywidget\.js/);
  }
});

test("the dialog is done with the keyboard alone, and gives the focus back", async ({
  page,
  playground,
}) => {
  await playground.open();
  await page.getByRole("button", { name: "Share" }).press("Enter");
  await expect(dialog(page).getByRole("tab", { name: "Link" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(dialog(page).getByRole("tab", { name: "Embed" })).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(dialog(page).getByRole("tab", { name: "Python" })).toBeFocused();
  await expect(dialog(page).getByRole("textbox", { name: "Python" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "Share" })).toBeFocused();
});

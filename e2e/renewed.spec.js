import { expect, test } from "./fixtures.js";

test.use({
  allowedErrors: /Failed to load resource|404|dynamically imported module|disallowed MIME/i,
});

/** From now on the host has another version, and no file of this one.
 * @param {import("@playwright/test").Page} page @param {string} path of the page that leads to it */
async function renew(page, path) {
  await page.route(/\/v-[0-9a-f]+\//, (route) => route.fulfill({ status: 404 }));
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/v-[0-9a-f]+\//g, "v-0123456789ab/");
      return route.fulfill({ response, body });
    },
  );
}

test("a page that is older than its site says so, and a reload keeps what was typed @everywhere", async ({
  page,
  playground,
}) => {
  await playground.open("#explore?prompt=The+cat+ran&stages=top_k:7");
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(1);

  await renew(page, "/");
  const note = page.locator(".linknote");
  await page.getByRole("button", { name: "Share" }).click();
  await expect(note).toContainText("has been renewed");
  await note.getByRole("button", { name: "Close" }).click();
  await page.getByRole("link", { name: "Lessons" }).click();
  await expect(note).toContainText("has been renewed");

  await page.unrouteAll();
  await note.getByRole("button", { name: "Reload" }).click();
  await expect(page.locator(".lessoncard").first()).toBeVisible({ timeout: 45_000 });
  await expect(note).toBeHidden();
  await page.getByRole("link", { name: "Explore" }).click();
  await expect(playground.drawnTokens).toHaveCount(1);
  await expect(playground.setting("Top-k").box).toHaveValue("7");
});

test("a widget that is older than its site says so, and is loaded anew when asked @everywhere", async ({
  page,
}) => {
  await page.route("**/course.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>Course</title><link rel="icon" href="data:,">
        <iframe width="500" height="300" src="embed.html#start=click&v=1&prompt=Once+upon+a"></iframe>`,
    }),
  );
  await page.goto("./course.html");
  const inside = page.locator("iframe").contentFrame();
  const start = inside.getByRole("button", { name: "Start here" });
  await expect(start).toBeVisible();
  await renew(page, "/embed.html");
  await start.click();
  const note = inside.locator(".wrenewed");
  await expect(note).toBeVisible(); // its text is there before it is shown
  await expect(note).toContainText("has been renewed");
  const box = await note.boundingBox();
  const frame = await page.locator("iframe").boundingBox();
  expect(box && frame && box.y > frame.y && box.y + box.height < frame.y + 300).toBe(true);

  await page.unrouteAll();
  await note.getByRole("button", { name: "Reload" }).click();
  await expect(note).toBeHidden();
  await start.click();
  await expect(inside.locator(".wsay b").first()).toHaveText(/\d/, { timeout: 45_000 });
});

import { expect, test } from "./fixtures.js";

test.use({
  allowedErrors: /Failed to load resource|404|dynamically imported module|disallowed MIME/i,
});

test("a page that is older than its site says so, and a reload keeps what was typed @everywhere", async ({
  page,
  playground,
}) => {
  await playground.open("#explore?prompt=The+cat+ran&stages=top_k:7");
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(1);

  // From now on the host has another version, and no file of this one.
  await page.route(/\/v-[0-9a-f]+\//, (route) => route.fulfill({ status: 404 }));
  await page.route(
    (url) => url.pathname === "/",
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/v-[0-9a-f]+\//g, "v-0123456789ab/");
      return route.fulfill({ response, body });
    },
  );
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

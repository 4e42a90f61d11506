import { expect, test } from "./fixtures.js";

test("a frame shows one lesson or one step, and tells of a solved task @everywhere", async ({
  page,
}) => {
  // The page's model never comes: toys do not need it.
  await page.route(/\/models\/.*part-\d+/, () => {});
  await page.route("**/course.html", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><title>Course</title><link rel="icon" href="data:,">
        <script src="embed.js"></script>
        <decoding-playground view="step" lesson="top-p/three-at-two"></decoding-playground>
        <decoding-playground view="lesson" lesson="softmax/scores"></decoding-playground>
        <script>
          window.heard = [];
          for (const el of document.querySelectorAll("decoding-playground"))
            for (const name of ["ready", "go", "task"])
              el.addEventListener(name, ({ detail }) => heard.push({ ...detail, type: name }));
        </script>`,
    }),
  );
  const heard = () => page.evaluate(() => /** @type {any} */ (window).heard);
  await page.goto("./course.html");
  const [step, lesson] = [0, 1].map((i) => page.locator("iframe").nth(i).contentFrame());
  await expect(step.getByText("Not yet: nucleus size is 2.")).toBeVisible({ timeout: 30_000 });
  await expect(step.getByRole("navigation")).toHaveCount(0);
  await expect(step.getByRole("heading", { name: /Top-p, and/ })).toBeHidden();
  const box = step.getByRole("spinbutton", { name: "Top-p, number", exact: true });
  await box.press("ControlOrMeta+a");
  await box.pressSequentially("0.96");
  await box.press("Tab");
  await expect
    .poll(heard)
    .toContainEqual(
      expect.objectContaining({ type: "task", lesson: "top-p", task: "three-at-two" }),
    );
  const element = page.locator("decoding-playground").first();
  const values = element.evaluate((/** @type {any} */ el) => el.get(["nucleus_size", "top_p"]));
  expect(await values).toEqual([3, 0.96]);

  await page.locator("decoding-playground").nth(1).scrollIntoViewIfNeeded();
  await expect(lesson.getByRole("heading", { level: 1, name: /From scores/ })).toBeVisible();
  await lesson.getByRole("navigation", { name: "Steps" }).getByRole("link").nth(1).click();
  await expect(lesson.getByText(/raises e to each logit/)).toBeVisible();
  await expect
    .poll(heard)
    .toContainEqual(expect.objectContaining({ type: "go", lesson: "softmax", step: "formula" }));
  for (const frame of [step, lesson]) {
    const over = () =>
      frame.locator("html").evaluate((html) => html.scrollHeight - html.clientHeight);
    await expect.poll(over).toBeLessThanOrEqual(0);
  }
});

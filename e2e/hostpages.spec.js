import { writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { expect, test } from "./fixtures.js";

const ADDRESS = "embed.html#view=distribution&prompt=Once+upon+a";

test.describe("on a disk", () => {
  test.use({ allowedErrors: /asked another host: file:.*\/notes\.html$/ });
  test("notes show the widget @everywhere", async ({ page, server }, info) => {
    const notes = info.outputPath("notes.html");
    await writeFile(
      notes,
      `<!doctype html><title>Notes</title><script src="${server.url}embed.js" async></script>
    <decoding-playground prompt="Once upon a" top_p="0.9"></decoding-playground>`,
    );
    await page.goto(pathToFileURL(notes).href);
    const inside = page.locator("iframe").contentFrame();
    await expect(inside.locator(".wsay b").first()).toHaveText(/\d/, { timeout: 45_000 });
    // The tool's clicks and keys do not reach a frame that Firefox holds in another process.
    await inside.getByRole("button", { name: "Draw" }).dispatchEvent("click");
    await expect(inside.locator(".drawn-tokens .t")).toHaveCount(1);
    await expect(inside.locator(".wproblem:visible")).toHaveCount(0);
  });
});

test.describe("in a sandbox", () => {
  test.use({ allowedErrors: /null|ERR_FAILED|CORS|Cross-Origin|NetworkError|Failed to load/i });
  for (const [flags, runs] of /** @type {[string, boolean][]} */ ([
    ["allow-scripts allow-same-origin", true],
    ["allow-scripts", false],
  ]))
    test(`of ${flags} it ${runs ? "runs" : "says what it needs"} @everywhere`, async ({
      page,
      server,
    }) => {
      await page.route("**/course.html", (route) =>
        route.fulfill({
          contentType: "text/html",
          body: `<!doctype html><title>Course</title><link rel="icon" href="data:,">
            <iframe sandbox="${flags}" src="${server.url}${ADDRESS}" width="500" height="300"></iframe>`,
        }),
      );
      await page.goto("./course.html");
      const inside = page.locator("iframe").contentFrame();
      if (runs) {
        await expect(inside.locator(".wtext .given")).toHaveText("Once upon a", {
          timeout: 45_000,
        });
      } else {
        await expect(inside.locator(".sandboxed")).toBeVisible();
        await expect(inside.locator(".sandboxed")).toContainText("allow-same-origin");
        await expect(inside.locator(".broken")).toBeHidden();
        await expect(inside.locator(".start")).toBeHidden();
      }
    });
});

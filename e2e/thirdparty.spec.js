import { once } from "node:events";
import { createServer } from "node:http";
import { test as base, expect } from "./fixtures.js";

/**
 * Widgets in a course page of another site, in browsers that let no other site
 * store anything: no cache, no locks, in Firefox no channel between frames either.
 */

const test = base.extend({
  launchOptions: [
    ({ launchOptions }, use) =>
      use({
        ...launchOptions,
        args: [...(launchOptions.args ?? []), "--test-third-party-cookie-phaseout"],
        firefoxUserPrefs: { ...launchOptions.firefoxUserPrefs, "network.cookie.cookieBehavior": 1 },
      }),
    { scope: "worker" },
  ],
});
test.use({ allowedErrors: /^asked another host: http:\/\/localhost:/ });

test("two widgets work where the browser blocks what other sites store @everywhere", async ({
  page,
  server,
}) => {
  const course = createServer((_, answer) =>
    answer.setHeader("content-type", "text/html").end(`<!doctype html>
      <title>Course</title><link rel="icon" href="data:,">
      <script src="${server.url}embed.js" async></script>
      <decoding-playground prompt="The cat ran after a" top_p="0.9"></decoding-playground>
      <iframe width="500" height="300" src="${server.url}embed.html#view=draws&prompt=Once+upon+a"></iframe>`),
  ).listen(0, "localhost");
  await once(course, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (course.address());
  try {
    await page.goto(`http://localhost:${port}`);
    const frames = page.locator("iframe");
    await expect(frames).toHaveCount(2);
    for (const i of [0, 1]) {
      const inside = frames.nth(i).contentFrame();
      await expect(inside.locator(".poster")).toBeHidden({ timeout: 45_000 });
      const blocked = inside.locator("html").evaluate(() => caches.open("blocked"));
      await expect(blocked).rejects.toThrow(/secur/i);
    }
    const tokens = await page.locator("decoding-playground").evaluate(async (el) => {
      const widget = /** @type {any} */ (el);
      await widget.run(1);
      return widget.get(["new_tokens"]);
    });
    expect(tokens).toEqual([1]);
    await expect(frames.first().contentFrame().locator(".drawn-tokens .t")).toHaveCount(1);
  } finally {
    course.close();
    course.closeAllConnections();
  }
});

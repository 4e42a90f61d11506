import { drip } from "./faulty.js";
import { expect, test } from "./fixtures.js";
import { createPlayground } from "./playground.js";
import { startServer } from "./server.js";

/** A visit of a host that goes away. The service worker is allowed here. */
test.use({
  serviceWorkers: "allow",
  allowedErrors: /Failed to load resource|ERR_CONNECTION|NetworkError/,
});
test.skip(Boolean(process.env.E2E_URL), "the server has to be stopped");

/** Waits until the site is kept. @param {import("@playwright/test").Page} page */
const kept = (page) =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const { active } = (await navigator.serviceWorker.getRegistration()) ?? {};
        if (active?.state !== "activated" || !navigator.serviceWorker.controller) return false;
        const names = (await caches.keys()).filter((name) => name.startsWith("site "));
        const files = await Promise.all(names.map(async (n) => (await caches.open(n)).keys()));
        return files.flat().some(({ url }) => url.endsWith("/echarts.esm.min.js")); // comes last
      }),
    )
    .toBe(true);

test("a second visit works with the server stopped @everywhere", async ({ page }) => {
  const server = await startServer();
  const playground = createPlayground(page);
  let url = "";
  try {
    await playground.open("#explore?prompt=Once+upon+a", server.url);
    await kept(page);
    await playground.button("Draw this token").click();
    await expect(playground.drawnTokens).toHaveCount(1);
    await expect.poll(() => page.url()).toContain("text=");
    url = page.url();
  } finally {
    await server.close();
  }
  const before = await playground.textNow();
  await page.goto("about:blank");
  await page.goto(url);
  await playground.ready();
  await expect.poll(() => playground.textNow()).toEqual(before);
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(2);

  // A view that was not open before, and its chart's library.
  await page.getByRole("link", { name: "Compare" }).click();
  await expect(page.locator("#view-compare .pane svg").first()).toBeVisible();
  await page.goto(`${server.url}embed.html#view=draws&prompt=Once+upon+a`);
  await expect(page.locator(".drawsay")).not.toBeEmpty({ timeout: 45_000 });
});

test("what is kept is the newest version and the one before it", async ({ page }) => {
  const server = await startServer();
  try {
    const playground = createPlayground(page);
    await playground.open("", server.url);
    const old = await page.evaluate(async () => {
      for (const version of ["v-000000000001", "v-000000000002"]) {
        const cache = await caches.open(`site ${location.origin}/ ${version}`);
        await cache.put(`/${version}/x.js`, new Response("x"));
      }
      await caches.open(`site ${location.origin}/elsewhere/ v-000000000003`);
      return caches.keys();
    });
    expect(old).toContain("models-1");
    await kept(page);
    const now = await page.evaluate(() => caches.keys());
    // The page may have been kept before or after the two; all but the newest before it go.
    expect(
      now.filter((name) => /\/ v-/.test(name) && !name.includes("elsewhere")).length,
    ).toBeLessThanOrEqual(3);
    expect(now).toContain("models-1");
    expect(now.some((name) => name.includes("elsewhere"))).toBe(true);
  } finally {
    await server.close();
  }
});

test("a page that comes too slowly is not cut: the one that is kept is shown", async ({
  page,
  host,
}) => {
  const playground = createPlayground(page);
  await playground.open("", host.url);
  await kept(page);
  host.fail(/^\/(index\.html)?$/, drip(600));
  await page.goto("about:blank");
  await page.goto(host.url);
  await playground.ready();
});

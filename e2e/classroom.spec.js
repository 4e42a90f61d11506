import { expect, test } from "./fixtures.js";
import { createPlayground } from "./playground.js";

/** What a class does to a page: slow laptops, more than one tab, and tidy neighbours. */

test("a processor six times as slow: numbers come, a slider moves them, tokens are drawn", async ({
  page,
  playground,
}) => {
  const inspector = await page.context().newCDPSession(page);
  await inspector.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await playground.open();
  await playground.set("Top-p", 0.3);
  await expect.poll(() => playground.number("nucleus")).toBe(1);
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  await inspector.send("Emulation.setCPUThrottlingRate", { rate: 1 });
});

test("what one tab clears, the other goes on without, and fetches again", async ({
  page,
  playground,
}) => {
  await playground.open();
  const second = await page.context().newPage();
  const other = createPlayground(second);
  await second.goto(page.url());
  await other.ready();
  await second.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    localStorage.clear();
  });
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  const text = await playground.textNow();
  await page.reload();
  await playground.ready();
  await expect.poll(() => playground.textNow()).toEqual(text);
  await second.close();
});

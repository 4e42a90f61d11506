import { expect, keptTest as test } from "./fixtures.js";

test.use({ contextOptions: { reducedMotion: "no-preference" } });

const moves = 60;

test("a drag on top-p: from input to drawn bars", async ({ page, playground }, info) => {
  await playground.open();
  await playground.only({ Temperature: 1, "Top-p": 0.95 });
  const track = await playground.setting("Top-p").range.boundingBox();
  if (!track) throw new Error("the slider has no place");
  const y = track.y + track.height / 2;
  await page.mouse.move(track.x + track.width * 0.95, y);
  await page.mouse.down();
  await page.evaluate(() => performance.clearMeasures());
  for (let i = 0; i < moves; i++) {
    const at = 0.5 + 0.45 * Math.cos((i / moves) * 4 * Math.PI);
    await page.mouse.move(track.x + track.width * at, y);
  }
  await page.mouse.up();
  await expect
    .poll(() => page.evaluate(() => performance.getEntriesByName("input-painted").length))
    .toBeGreaterThan(10);

  const lines = [];
  for (const name of ["input-drawn", "input-painted"]) {
    const times = await page.evaluate(
      (n) => performance.getEntriesByName(n).map((e) => e.duration),
      name,
    );
    times.sort((a, b) => a - b);
    const at = (/** @type {number} */ q) => times[Math.floor(q * (times.length - 1))].toFixed(1);
    lines.push(
      `${name}: ${times.length} of ${moves} moves, median ${at(0.5)} ms, p95 ${at(0.95)} ms, most ${at(1)} ms`,
    );
    expect(times[times.length >> 1]).toBeLessThan(1000);
  }
  console.log(lines.join("\n"));
  await info.attach("drag", { body: lines.join("\n"), contentType: "text/plain" });
});

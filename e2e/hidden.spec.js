import { expect, test } from "./fixtures.js";

/** A tab that is not on screen: no frame is drawn there. Without a window no browser hides a page. */

const AT = "#explore?v=1&prompt=Once+upon+a&stages=temperature:1;top_p:0.9&seed=21&eos=0";

test("a run goes on in a hidden tab, and comes to the same numbers", async ({
  page,
  playground,
}) => {
  const ran = async () => {
    await playground.open(AT);
    await playground.run();
    return [
      await playground.textNow(),
      await playground.rows(),
      await playground.number("nucleus"),
      await playground.why.textContent(),
    ];
  };
  const seen = await ran();
  await page.addInitScript(() => {
    window.requestAnimationFrame = () => 0;
  });
  await page.goto("about:blank");
  expect(await ran()).toEqual(seen);
});

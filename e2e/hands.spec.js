/** What a teacher does with the hands: the die, the surprise, the size of a tree, a list to pick from. */

import { expect, keptTest as test } from "./fixtures.js";

test("the die is set by hand, is part of the link, and goes back to the seed @everywhere", async ({
  page,
  playground,
}) => {
  await playground.open("#explore?prompt=The+cat+ran+after+a");
  const why = await playground.why.textContent();
  const die = page.getByRole("slider", { name: "The die of this step" });
  await die.focus();
  await die.press("End");
  await expect(playground.why).toContainText(/99.9\s%/);
  const last = (await playground.rows()).filter((r) => r.final > 0).at(-1)?.token ?? "";
  await expect(die).toHaveAttribute("aria-valuetext", new RegExp(`^99.9\\s%, hits ${last}$`));
  await expect.poll(() => new URL(page.url()).hash).toContain("die=0.999");
  await die.press("Home");
  await expect(playground.why).toContainText(/at 0.0\s%/);
  await playground.button("You set the die").click();
  await expect(playground.why).toHaveText(why ?? "");
  await expect.poll(() => new URL(page.url()).hash).not.toContain("die=");

  // A past step has its die: there is nothing to move.
  await playground.button("Draw").click();
  await playground.drawnTokens.first().click();
  await expect(die).toBeHidden();
});

test("surprise colours the prompt, too @everywhere", async ({ page, playground }) => {
  await playground.open("#explore?prompt=The+cat+ran+after+a+zebra");
  const chips = playground.promptTokens;
  const told = (/** @type {string} */ title) => Number(/([\d.]+) bits/.exec(title)?.[1]);
  const titles = () => chips.evaluateAll((all) => all.map((el) => el.getAttribute("title") ?? ""));
  expect((await titles()).join()).not.toContain("bits");
  await playground.button("Surprise").click();
  await expect.poll(async () => (await titles()).at(-1)).toContain("bits");
  const [first, ...others] = await titles();
  expect(first).not.toContain("bits");
  const bits = others.map(told);
  expect(bits.every((b) => b >= 0)).toBe(true);
  expect(Math.max(...bits)).toBeGreaterThan(9);
  await playground.button("Surprise").click();
  await expect.poll(async () => (await titles()).join()).not.toContain("bits");
  await expect(page.locator(".refused")).toBeHidden();
});

test("what a strategy cuts by itself is a strip of its own", async ({ page, playground }) => {
  await playground.open("#explore?prompt=The+cat+ran+after+a&strategy=mirostat_v2&stages=");
  const stops = page.locator(".stops .stop");
  await expect(stops.last()).toContainText(/Mirostat 2.*left/);
  const kept = await playground.number("nucleus");
  expect(kept).toBeLessThan(50257);
});

test("a list to pick from is in view, and Escape gives the focus back", async ({
  page,
  playground,
}) => {
  await page.setViewportSize({ width: 1280, height: 640 });
  await playground.open();
  const button = page.locator("#view-explore").getByRole("button", { name: "Add a stage" });
  await button.click();
  const list = page.getByRole("dialog", { name: "Add a stage" });
  await expect(list).toBeInViewport({ ratio: 1 });
  await expect(page.locator("#view-explore .pickbox .pick").first()).toBeInViewport();
  await page.keyboard.press("Escape");
  await expect(list).toBeHidden();
  await expect(button).toBeFocused();
});

test("a beam search says why it ended, and its tree can be made smaller @everywhere", async ({
  page,
  playground,
}) => {
  await playground.open("#beams?prompt=The+cat+ran+after+a&beams=3,12,1");
  await expect(page.locator(".searchend")).toContainText(/Why the search ended: .+\./);
  await expect(page.locator(".beamlist li").first()).toContainText("The end token was taken.");
  const width = async () => (await page.locator("svg.tree").boundingBox())?.width ?? 0;
  const before = await width();
  await page.getByRole("button", { name: "Fit the whole tree" }).click();
  await expect.poll(width).toBeLessThan(before);
  const box = await page.locator(".treebox").boundingBox();
  expect(await width()).toBeLessThanOrEqual((box?.width ?? 0) + 1);
  await page.locator("svg.tree .node.live").first().press("+");
  await expect.poll(width).toBeGreaterThan(box?.width ?? 0);
});

test("panes of a link are called by what they do, and their charts are a table, too", async ({
  page,
  playground,
}) => {
  await playground.open(
    "#compare?prompt=The+cat+ran+after+a&length=6&pane=own!dola!&pane=own!sampling!top_p:0.9",
  );
  const metrics = page.locator("table.metrics tbody th");
  await expect(metrics).toHaveText([/DoLa/, /Top-p.*p 0.90/]);
  await expect(page.locator(".pane header select option:checked")).toHaveText(["DoLa", "Top-p"]);
  await page.getByText("The numbers by step").click();
  const table = page.locator(".bysteps table");
  await expect(table.locator("thead th")).toHaveText(["Step", "A DoLa", "B Top-p"]);
  await expect(table.locator("tbody tr").first()).toContainText(/1.*\d\.\d\d/);
  const first = await table.locator("tbody").textContent();
  await page.getByRole("button", { name: "Surprise, bits" }).click();
  await expect(table.locator("tbody")).not.toHaveText(first ?? "");
});

import { expect, keptTest as test } from "./fixtures.js";
import { fillNumber } from "./playground.js";

test.beforeEach(({ playground }) => playground.open());

for (const [label, value] of /** @type {[string, string][]} */ ([
  ["Top-p", "1.5"],
  ["Top-p", "-0.1"],
  ["Top-k", "-3"],
  ["Top-k", "2.5"],
  ["Temperature", "-1"],
  ["Min-p", "7"],
])) {
  test(`${label} ${value} is refused by name, and the picture stays`, async ({
    page,
    playground,
  }) => {
    await playground.setting(label).used.check();
    await playground.settled();
    const rows = await playground.rows();
    const { box } = playground.setting(label);
    await fillNumber(box, value);
    await expect(box).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByRole("alert").filter({ hasText: label })).toBeVisible();
    await expect.poll(playground.rows).toEqual(rows);
    await fillNumber(box, "1");
    await expect(box).not.toHaveAttribute("aria-invalid", "true");
    await expect(page.getByRole("alert").filter({ hasText: label })).toHaveCount(0);
  });
}

test("text that is no number is refused, too", async ({ playground }) => {
  const { box } = playground.setting("Top-p");
  await box.focus();
  await fillNumber(box, "e-e");
  await expect(box).toHaveAttribute("aria-invalid", "true");
  await expect(playground.take.first()).toBeVisible();
});

test("a whole number is asked for by name, with a comma, too", async ({ page, playground }) => {
  for (const [box, label] of /** @type {const} */ ([
    [playground.setting("Top-k").box, "Top-k"],
    [page.getByRole("spinbutton", { name: "Seed" }), "Seed"],
  ])) {
    await fillNumber(box, "1,5");
    await expect(box).toHaveJSProperty("valueAsNumber", 1.5);
    await expect(
      page.getByRole("alert").filter({ hasText: `“${label}” takes a whole number, 0 to` }),
    ).toBeVisible();
    await fillNumber(box, "7");
  }
});

test("a comma is a decimal point", async ({ playground }) => {
  const { box } = playground.setting("Temperature");
  await fillNumber(box, "0,5");
  await expect(box).toHaveJSProperty("valueAsNumber", 0.5);
  await box.press("Tab");
  await expect(box).toHaveValue("0.5");
});

test("the digits on the way to a refused number do not count", async ({ page, playground }) => {
  const { box } = playground.setting("Top-k");
  await playground.setting("Top-k").used.check();
  await fillNumber(box, "40");
  const rows = await playground.rows();
  await fillNumber(box, "2.5");
  await box.press("Tab");
  await fillNumber(playground.setting("Temperature").box, "2");
  await expect.poll(() => playground.rows()).not.toEqual(rows);
  await fillNumber(playground.setting("Temperature").box, "1");
  await expect(box).toHaveValue("2.5");
  await expect(box).toHaveAttribute("aria-invalid", "true");
  await expect(page).toHaveURL(/top_k:40/);
  await page.getByRole("button", { name: "Back to 40" }).click();
  await expect(box).toHaveValue("40");
  await expect(box).not.toHaveAttribute("aria-invalid", "true");

  // Out of a float's range, and left.
  await fillNumber(box, "1e999");
  await box.press("Tab");
  await expect(box).toHaveAttribute("aria-invalid", "true");
  await expect(page).toHaveURL(/top_k:40/);
  await page.getByRole("slider", { name: "Top-k" }).press("ArrowRight");
  await expect(box).not.toHaveAttribute("aria-invalid", "true");
});

test("a link takes what was refused away, though its numbers are those from before", async ({
  page,
  playground,
}) => {
  const at = (/** @type {string} */ prompt) =>
    `#explore?v=1&prompt=${prompt}&strategy=sampling&stages=top_k:40&seed=3`;
  await playground.open(at("One+day"));
  const { box } = playground.setting("Top-k");
  const seed = page.getByRole("spinbutton", { name: "Seed" });
  await fillNumber(box, "2.5");
  await fillNumber(seed, "-1");
  await expect(page.locator("#view-explore [aria-invalid]")).toHaveCount(2);
  // The way to another view and back is no such link.
  await page.getByRole("link", { name: "Draws" }).click();
  await page.getByRole("link", { name: "Explore" }).click();
  await expect(box).toHaveValue("2.5");
  await playground.open(at("The+cat"));
  await expect(playground.promptTokens).toHaveText(["The", "cat"]);
  await expect(box).toHaveValue("40");
  await expect(seed).toHaveValue("3");
  await expect(page.locator("[aria-invalid]")).toHaveCount(0);
  await expect(page.getByRole("alert").filter({ hasText: /./ })).toHaveCount(0);
});

test("a seed out of range is refused", async ({ page }) => {
  const seed = page.getByRole("spinbutton", { name: "Seed" });
  await fillNumber(seed, "-1");
  await expect(seed).toHaveAttribute("aria-invalid", "true");
  await fillNumber(seed, "99999999999999999999");
  await expect(seed).toHaveAttribute("aria-invalid", "true");
  await fillNumber(seed, "7");
  await expect(seed).not.toHaveAttribute("aria-invalid", "true");
});

test("a link with bad values opens, with the defaults and a word about it", async ({
  page,
  playground,
}) => {
  await playground.open(
    "#explore?v=1&prompt=Hello&strategy=sampling&stages=top_p%3A7%3Bno_such%3A1&seed=-4",
  );
  await expect(playground.promptTokens).toHaveText(["Hello"]);
  await expect(playground.setting("Top-p").box).not.toHaveValue("7");
  await expect(page.getByText(/top_p 7/)).toBeVisible();
});

test("what only the model can judge of a link is left out, and named @everywhere", async ({
  page,
  playground,
}) => {
  const note = page.locator(".linknote");
  const at = (/** @type {string} */ view, /** @type {string} */ more) =>
    `#${view}?v=1&prompt=The+cat+ran&stages=top_k:40${more}`;
  const bad = "&end=hello+world&end=.&end=1.5&end=&stop=&max_length=2";
  await page.goto("about:blank"); // a visit that begins with it
  await playground.open(at("explore", bad));
  await expect(playground.setting("Top-k").box).toHaveValue("40");
  for (const part of ["end hello world", "end 1.5", "max_length 2", "stop"])
    await expect(note).toContainText(part);
  await expect(page.locator("#c-ends-at")).toHaveValue(".");
  await expect(page.locator(".refused")).toBeHidden();
  await expect(page).toHaveURL(/end=\.(&|$)/);

  const list = "&list=forced_bos_token_id.forced_bos_token_id=two+words";
  await page.goto(at("explore", `;forced_bos_token_id:${list}`));
  await expect(note).toContainText("forced_bos_token_id=two words");
  await expect(playground.take.first()).toBeVisible();
  await page.goto(at("beams", "&end=hello+world&beams=2,2,1"));
  await expect(note).toContainText("end hello world");
  await expect(page.locator(".tree .node.live .word").first()).toBeVisible();
  await page.goto(at("draws", "&end=1.5"));
  await expect(note).toContainText("end 1.5");
  await expect(page.locator(".drawtable tbody .n").first()).toHaveText(/\d/);
  const pane = "own!sampling!top_k:5;forced_bos_token_id:";
  await page.goto(
    at("compare", `&pane=${pane}&pane=greedy!greedy!&${list.slice(1).replace("=", "=1/")}`),
  );
  await expect(note).toContainText("pane 1 list forced_bos_token_id");
  await expect(page.locator("#view-compare .pane .t").first()).toBeVisible();
  await page.goto(at("explore", "&end=."));
  await expect(note).toBeHidden();
  await page.goto("about:blank"); // the next test begins without the views of this one
});

test("bans that remove every token are told, draw nothing, and can be lifted", async ({
  page,
  playground,
}) => {
  await playground.open(
    "#explore?stages=top_k:1;suppress_tokens:&list=suppress_tokens.suppress_tokens=+mouse",
  );
  await expect.poll(() => playground.number("nucleus")).toBe(0);
  await expect(page.locator("main")).not.toContainText(/NaN|Infinity|undefined/);
  await expect(playground.why).toContainText(/every token is removed/i);
  await playground.button("Draw").click();
  const refused = page.locator(".refused:visible");
  await expect(refused).toContainText(/every token is removed/i);
  await expect(refused).not.toContainText(/last good/); // the picture is of these settings
  await expect(playground.drawnTokens).toHaveCount(0);
  await playground.view.getByRole("switch", { name: "Suppress tokens", exact: true }).uncheck();
  await expect(page.locator(".refused:visible")).toHaveCount(0);
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveText(["mouse"]);
});

test("an end token that is none: no step is taken, and Share says why", async ({
  page,
  playground,
}) => {
  await playground.open("#explore?v=1&prompt=The+cat&stages=&eos=0");
  const ends = page.locator("#c-ends-at");
  await ends.fill("two words");
  await expect(page.locator(".refused")).toContainText("two words");
  await expect(page.locator(".stepbar .next .btn").first()).toBeDisabled();
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("tab", { name: "Python" }).click();
  await expect(page.locator("dialog textarea:visible")).toHaveValue(/two words/);
  await page.keyboard.press("Escape");
  await ends.fill("");
  await expect(page.locator(".refused")).toBeHidden();
  await expect(page.locator(".stepbar .next .btn").first()).toBeEnabled();
});

test("settings that don't go together: no step is taken with older ones", async ({
  page,
  playground,
}) => {
  const at = (/** @type {string} */ more) => `#explore?v=1&prompt=The+cat&stages=&eos=0${more}`;
  const steps = page.locator(".stepbar .next .btn");
  await playground.open(at("&strategy=beam,num_beams=4"));
  await playground.run();
  await playground.open(at("&strategy=beam,num_beams=4,num_return_sequences=9"));
  await expect(page.locator(".refused")).toContainText("num_return_sequences");
  await expect(steps.nth(0)).toBeDisabled();
  await expect(steps.nth(1)).toBeDisabled();
  await expect(playground.drawnTokens).toHaveCount(0);
  await playground.open(at("&strategy=beam,num_beams=4"));
  await expect(steps.nth(0)).toBeEnabled();
  await expect(page.locator(".refused")).toBeHidden();

  // By hand: what is there stays, and nothing is added to it.
  await playground.run();
  const before = await playground.textNow();
  const returned = page.getByRole("spinbutton", { name: /^Texts returned, number/ });
  await fillNumber(returned, "9");
  await expect(page.locator(".refused")).toContainText("num_return_sequences");
  await expect(steps.nth(0)).toBeDisabled();
  await playground.drawnTokens.first().click();
  await page.locator(".backbtn").click();
  await expect(page.locator(".refused")).toBeVisible();
  await expect(steps.nth(0)).toBeDisabled();
  expect(await playground.textNow()).toEqual(before);
  await fillNumber(returned, "1");
  await expect(page.locator(".refused")).toBeHidden();
});

test("a link to a model that is not here says so, and the next link is true", async ({
  page,
  playground,
}) => {
  const note = page.locator(".linknote");
  const at = "#explore?v=1&prompt=The+cat&model=no-such:12345678";
  await playground.open(at);
  await expect(note).toContainText("no-such");
  await expect(page).toHaveURL(/model=storybook-4m:(?!12345678)/);
  await playground.open("#explore?v=1&prompt=The+cat&model=storybook-4m:00000000");
  await expect(note).toContainText("version");
  await expect(page).toHaveURL(/model=storybook-4m:(?!00000000)/);
  await playground.open("#explore?v=1&prompt=The+cat&model=storybook-4m");
  await expect(note).toBeHidden();

  await page.goto("about:blank"); // a visit that begins with it
  await playground.open(at);
  await expect(note).toContainText("no-such");
  await expect(page).toHaveURL(/model=storybook-4m:(?!12345678)/);
});

test("a link's text that the model can't take is cut there, and that is said", async ({
  page,
  playground,
}) => {
  const note = page.locator(".linknote");
  await playground.open("#explore?v=1&prompt=The+cat&stages=&eos=0&text=!262.!9999999.!262");
  await expect(note).toContainText("ends early");
  await expect(playground.drawnTokens).toHaveText(["the"]);
  await expect(playground.button("Draw this token")).toBeEnabled();
  const many = Array(300).fill("!262").join(".");
  await playground.open(`#explore?v=1&prompt=The+cat&stages=&eos=0&text=${many}`);
  await expect(playground.drawnTokens).toHaveCount(255);
  await expect(note).toContainText("ends early");
  await playground.open("#explore?v=1&prompt=The+cat&stages=&eos=0&text=!262");
  await expect(playground.drawnTokens).toHaveCount(1);
  await expect(note).toBeHidden();
});

test("no picture of another prompt stands under a link that can't be", async ({
  page,
  playground,
}) => {
  const groups = (/** @type {number} */ n) =>
    `#explore?v=1&prompt=One+day&strategy=group_beam,num_beams=4,num_beam_groups=${n}&stages=`;
  await playground.open(groups(3));
  await expect(page.locator(".refused")).toContainText("num_beam_groups");
  await expect(page.locator(".cascadepanel")).toBeHidden();
  await expect(playground.take.first()).toBeHidden();
  await playground.open(groups(2));
  await expect(page.locator(".cascadepanel")).toBeVisible();
  await expect(playground.take.first()).toBeVisible();
});

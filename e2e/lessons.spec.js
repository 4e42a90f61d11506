import { readFile } from "node:fs/promises";
import { expect, keptTest, test } from "./fixtures.js";

/** @typedef {import("@playwright/test").Page} Page */

/** The way through the lesson: the link of the step on screen. @param {Page} page */
const here = (page) =>
  page.getByRole("navigation", { name: "Steps" }).locator("[aria-current=step]");

/** Opens a step of a lesson; a page that is there follows a link. @param {Page} page @param {string} place */
async function open(page, place) {
  if (page.url().startsWith("http"))
    await page.evaluate((to) => {
      location.hash = to;
    }, `lesson=${place}`);
  else await page.goto(`./#lesson=${place}`);
  await expect(here(page)).toHaveAttribute("href", new RegExp(`^#lesson=${place}`), {
    timeout: 30_000,
  });
}

/** All lessons. @param {Page} page */
async function home(page) {
  if (page.url().startsWith("http"))
    await page.evaluate(() => {
      location.hash = "lessons";
    });
  else await page.goto("./#lessons");
  await expect(page.locator(".lessoncards li").first()).toBeVisible({ timeout: 30_000 });
}

/** The figure of the step on screen. @param {Page} page */
const figure = (page) => page.getByRole("region", { name: "Picture" });

/** The page's model never comes: toys do not need it. @param {Page} page */
const withoutModel = (page) => page.route(/\/models\/.*part-\d+/, () => {});

test("a question hides the picture until there is a guess, which stays @everywhere", async ({
  page,
}) => {
  await withoutModel(page);
  await open(page, "temperature/halve");
  await expect(figure(page).getByText("The picture appears after your guess.")).toBeVisible();
  await expect(figure(page).locator("table")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Next" })).toBeDisabled();
  const look = page.getByRole("button", { name: "See the answer" });
  await expect(look).toBeDisabled();

  await page.getByRole("spinbutton", { name: /Paris has 0.994/ }).pressSequentially("0.5");
  await look.click();
  await expect(page.locator("#view-lessons").getByText(/Not quite.*It has 0.891/)).toBeVisible();
  await expect(page.locator(".guessline .mine")).toHaveText(/you 0.5/);
  await expect(page.locator(".guessline .true")).toHaveText(/true 0.89/);
  await expect(figure(page).locator("table.bars")).toContainText("89.1 %"); // what was asked for
  await expect(page.getByRole("button", { name: "Next" })).toBeEnabled();

  await page.reload();
  await expect(page.locator(".guessline .mine")).toHaveText(/you 0.5/);
  await expect(figure(page).locator("table.bars")).toBeVisible();
});

keptTest("a piece of many tokens says how many, as the page writes numbers", async ({ page }) => {
  await open(page, "top-p/adapts");
  await expect(
    figure(page)
      .getByText(/^\+\d\d,\d{3}$/)
      .first(),
  ).toBeVisible({ timeout: 45_000 });
});

keptTest("tokens in an answer stand out from its sentence", async ({ page }) => {
  await open(page, "beam/first-step");
  await page.getByRole("button", { name: "Skip, just show it" }).click();
  const ground = (/** @type {import("@playwright/test").Locator} */ part) =>
    part.evaluate((el) => getComputedStyle(el).backgroundColor);
  const answer = page.locator(".guessresult .result");
  expect(await ground(answer.locator("code"))).not.toBe(await ground(answer));
});

keptTest("texts side by side are shown to their ends", async ({ page }) => {
  await open(page, "temperature/zero");
  const texts = figure(page).locator(".lessonline .text");
  await expect(texts).toHaveCount(4, { timeout: 45_000 });
  for (const text of await texts.all())
    await expect(text.locator(".end")).toHaveText("length reached", { timeout: 45_000 });
  const hidden = await texts.evaluateAll((all) => all.map((t) => t.scrollHeight - t.clientHeight));
  expect(hidden).toEqual([0, 0, 0, 0]);
});

keptTest("a guess can be skipped, and a recall is asked and answered", async ({ page }) => {
  await open(page, "top-k/two-steps");
  await page.getByRole("button", { name: "Skip, just show it" }).click();
  await expect(
    page.locator("#view-lessons").getByText(/Right is: Almost nothing at the sure step/),
  ).toBeVisible();
  await expect(figure(page).locator("table.bars")).toBeVisible();

  await page.getByRole("navigation", { name: "Steps" }).getByRole("link").first().click();
  await expect(page.getByRole("link", { name: "sampling", exact: true })).toBeVisible();
  await page.getByRole("radio", { name: "Nothing unusual" }).check();
  await page.getByRole("button", { name: "See the answer" }).click();
  await expect(
    page.locator("#view-lessons").getByText("Right: it happens 6 times in 100."),
  ).toBeVisible();

  // What was begun is asked about among all lessons.
  await page.getByRole("link", { name: "All lessons" }).click();
  await expect(page.getByRole("heading", { name: "A look back" })).toBeVisible();
});

keptTest(
  "a task has hints, says how it stands, and is solved by acting @everywhere",
  async ({ page }) => {
    await open(page, "top-p/three-at-two");
    await expect(
      page.locator("#view-lessons").getByText("Not yet: nucleus size is 2."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Hint" }).click();
    await expect(page.locator(".hints li")).toHaveCount(1);
    await page.getByText("How it stands").click();
    await expect(page.locator(".standing li").first()).toContainText("now 2");

    const box = page.getByRole("spinbutton", { name: "Top-p, number", exact: true });
    await box.press("ControlOrMeta+a");
    await box.pressSequentially("0.96");
    await box.press("Tab");
    await expect(page.locator(".task .check.right")).toBeVisible();
    await expect(page.getByRole("link", { name: /Task 1.*done/ })).toBeVisible();

    // Solved stays solved, and counts.
    await page.getByRole("link", { name: "All lessons" }).click();
    const card = page.locator('.lessoncard[href="#lesson=top-p"]');
    await expect(card.getByRole("img")).toHaveAccessibleName(/1 of 2 tasks solved/);
  },
);

keptTest("a room is shown a lesson with the keyboard alone @everywhere", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await open(page, "softmax/scores");
  const present = page.getByRole("button", { name: "Present" });
  const note = page.getByText("Ask for a show of hands");
  const answer = page.locator(".guessresult .result");
  const over = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  await present.focus();
  await page.keyboard.press("Enter");
  await expect(present).toHaveAttribute("aria-pressed", "true");

  // The page gives way, all is on one screen, and the note stays folded.
  await expect(page.locator(".lessonside")).toBeHidden();
  await expect(page.locator("header.top")).toBeHidden();
  await expect(page.getByText("For the teacher")).toBeVisible();
  await expect(note).toBeHidden();
  await expect(figure(page).getByText("The picture appears after")).toBeVisible();
  expect(await over()).toBeLessThanOrEqual(0);

  // Forward: the answer, then the next step; back: the same way.
  await page.keyboard.press("PageDown");
  await expect(answer).toHaveText(/Right is: About 200 times/);
  await expect(figure(page).locator("table")).toBeVisible();
  expect(await over()).toBeLessThanOrEqual(0);
  await page.keyboard.press("PageUp");
  await expect(answer).toHaveCount(0);
  await page.keyboard.press("Space");
  await expect(answer).toHaveText(/Right is: About 200 times/);
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: "Look", exact: true })).toBeFocused();
  await expect(note).toBeHidden();
  await page.keyboard.press("ArrowLeft");
  await expect(answer).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Reveal" })).toBeVisible();

  // A control in focus keeps its keys.
  await page.getByRole("radio", { name: "2.7 times" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "5.3 times" })).toBeChecked();
  await expect(here(page)).toHaveAttribute("href", "#lesson=softmax/scores");

  await page.keyboard.press("Escape");
  await expect(present).toHaveAttribute("aria-pressed", "false");
  await expect(present).toBeFocused();
  await expect(page.locator("header.top")).toBeVisible();
  await expect(note).toHaveCount(0);

  // Nothing was kept of it.
  await page.reload();
  // Followed before the page has begun, it is no part of the reload.
  await open(page, "softmax/scores");
  await expect(page.getByRole("button", { name: "See the answer" })).toBeVisible();
});

keptTest("a room is shown a task's hints, then its solution, step by step", async ({ page }) => {
  await open(page, "top-p/three-at-two");
  const present = page.getByRole("button", { name: "Present" });
  await present.click();
  const solved = page.locator(".task .check.right");
  await expect(
    page.locator("#view-lessons").getByText("Not yet: nucleus size is 2."),
  ).toBeVisible();
  await page.keyboard.press("PageDown");
  await expect(page.locator(".hints li")).toHaveCount(1);
  await expect(solved).toHaveCount(0);
  await page.keyboard.press("PageDown");
  await expect(solved).toHaveText(/Every p above 0.9535/);
  const box = page.getByRole("spinbutton", { name: "Top-p, number", exact: true });
  await expect(box).toHaveValue("0.97");
  await page.keyboard.press("PageUp");
  await expect(solved).toHaveCount(0);
  await expect(page.locator(".hints li")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(solved).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(here(page)).toHaveAttribute("href", "#lesson=top-p/three-at-one");

  // A solution that runs, of one pane among several.
  await open(page, "beam/worse-than-greedy");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("PageDown");
  await expect(solved).toHaveText(/0.045 against 0.114/);

  // What was shown is nobody's work; another view ends it.
  await page.evaluate(() => {
    location.hash = "explore";
  });
  await expect(page.locator("header.top")).toBeVisible();
  await page.evaluate(() => {
    location.hash = "lesson=beam/worse-than-greedy";
  });
  await expect(present).toHaveAttribute("aria-pressed", "false");
  await expect(solved).toHaveCount(0);
});

test.describe("without the host", () => {
  test.use({ allowedErrors: /Failed to load resource/ });
  test("a stored step that does not come is told in words, and asked for again", async ({
    page,
  }) => {
    await withoutModel(page);
    await page.route("**/*.f32.gz", (route) => route.abort());
    await open(page, "true-steps/spaceship");
    await expect(figure(page).getByRole("alert")).toHaveText(
      "steps/spaceship.f32.gz: the site does not answer, and this file is not kept on this device",
    );
    await page.unroute("**/*.f32.gz");
    await figure(page).getByRole("button", { name: "Try again" }).click();
    await expect(figure(page).locator('[data-num="nucleus"] .v')).toHaveText("2,323");
  });
});

keptTest("a step link opens that step, and the address follows", async ({ page }) => {
  await open(page, "order/both");
  await page.evaluate(() => {
    location.hash = "lesson=order&step=temperature-last";
  });
  await expect(here(page)).toHaveAttribute("href", "#lesson=order/temperature-last");
  await page.getByRole("button", { name: "Next" }).click();
  await expect(here(page)).not.toHaveAttribute("href", "#lesson=order/temperature-last");
  await expect(page).toHaveURL(/#lesson=order\/[a-z-]+$/);
  await page.evaluate(() => {
    location.hash = "lesson=nowhere";
  });
  await expect(page.getByText("There is no lesson nowhere here.")).toBeVisible();
});

test("true steps of GPT-2 need no model, and the sliders work on them @everywhere", async ({
  page,
}) => {
  await withoutModel(page);
  await open(page, "true-steps/hundred");
  const nucleus = figure(page).locator('[data-num="nucleus"] .v');
  await expect(nucleus).toHaveText("2,160", { timeout: 30_000 });
  const box = page.getByRole("spinbutton", { name: "Temperature, number", exact: true });
  await box.press("ControlOrMeta+a");
  await box.pressSequentially("0.6");
  await box.press("Tab");
  await expect(nucleus).toHaveText("74");
  await expect(page.locator(".task .check.right")).toBeVisible();
});

keptTest(
  "a teacher's own file is checked, told in words, kept and taken away @everywhere",
  async ({ page }) => {
    const text = await readFile(new URL("../web/lessons/en/softmax.json", import.meta.url), "utf8");
    const good = {
      ...JSON.parse(text),
      id: "mine",
      title: "Mine <b>own</b>".replace(/[<>]/g, "*"),
    };
    /** @param {string} content */
    const drop = (content) =>
      page.evaluate((json) => {
        const data = new DataTransfer();
        data.items.add(new File([json], "mine.json", { type: "application/json" }));
        document
          .querySelector(".dropzone")
          ?.dispatchEvent(
            new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
          );
      }, content);
    await home(page);
    const zone = page.getByRole("region", { name: "A lesson of your own" });
    await expect(zone).toBeVisible({ timeout: 30_000 });

    const evil = "<img src=x onerror=alert(1)>";
    for (const [content, told] of /** @type {const} */ ([
      ["{", /no JSON/],
      ["[]", /an object/],
      [JSON.stringify({ ...good, minutes: "five" }), /minutes.*a whole number/],
      [JSON.stringify({ ...good, title: evil }), /title.*no < and no >/],
      [JSON.stringify({ ...good, id: "softmax" }), /another id/],
      [
        JSON.stringify({
          ...good,
          steps: good.steps.map((/** @type {any} */ s) => ({ ...s, model: "gpt4" })),
        }),
        /steps\[0\].model.*toy:/,
      ],
      [`${"[".repeat(20_000)}${"]".repeat(20_000)}`, /Wanted/],
    ])) {
      await drop(content);
      await expect(zone.getByRole("listitem").first()).toHaveText(told);
    }
    expect(await page.locator("main img").count()).toBe(0);

    await drop(JSON.stringify(good));
    await expect(page.locator(".lesson h1")).toHaveText("Mine *b*own*/b*");
    await page.reload();
    await expect(page.locator(".lesson h1")).toHaveText("Mine *b*own*/b*");
    await page.getByRole("link", { name: "All lessons" }).click();
    await page.getByRole("button", { name: /Remove Mine/ }).click();
    await expect(page.locator(".lessoncard", { hasText: "Mine" })).toHaveCount(0);
  },
);

test("a link to a step that a lesson has not shows its start, and says so until one goes on", async ({
  page,
}) => {
  const told = page.getByText(/Left out of the link.*step nix/);
  await page.goto("./#lesson=top-p/nix");
  await expect(told).toBeVisible({ timeout: 30_000 });
  await expect(page.locator(".lesson h1")).toBeVisible();
  await expect(page).toHaveURL(/#lesson=top-p\/(?!nix)/);
  // The model is there, and the view was drawn again.
  await expect(page.locator(".modelbtn .led")).toHaveClass(/on/, { timeout: 45_000 });
  await expect(told).toBeVisible();
  await page.getByRole("link", { name: "Draws" }).click();
  await page.goBack();
  await expect(page.locator(".lesson h1")).toBeVisible();
  await expect(told).toBeHidden();
  await page.goto("./#lesson=top-p/nix");
  await expect(told).toBeVisible();
  await page.locator(".stations a").nth(1).click();
  await expect(told).toBeHidden();
});

keptTest(
  "the guide leads to settings and lessons, and the glossary is searched",
  async ({ page }) => {
    await home(page);
    await page.getByRole("button", { name: "Glossary" }).click();
    await page.getByRole("textbox", { name: "Find a term" }).fill("crosses p");
    await expect(page.locator(".glossary > div:visible dt")).toHaveText(["nucleus"]);
    await page.getByRole("button", { name: "Misconceptions" }).click();
    await page.getByText("What is true", { exact: true }).first().click();
    await expect(page.getByText(/e\^5.3 = 200 times/)).toBeVisible();

    // Names without a place to break do not widen a phone's page.
    const size = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const truth of await page.locator(".beliefs summary").all())
      await truth.evaluate((summary) => summary.parentElement?.setAttribute("open", ""));
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(wide).toBeLessThanOrEqual(0);
    if (size) await page.setViewportSize(size);

    await page.getByRole("button", { name: "Which strategy" }).click();
    const row = page.getByRole("row", { name: /Few right answers/ });
    await row.getByRole("link", { name: "Try it" }).click();
    await expect(page.getByRole("combobox", { name: "Strategy" })).toHaveValue("beam", {
      timeout: 30_000,
    });
  },
);

keptTest("min-p's line is the one that its lesson computes", async ({ page }) => {
  await open(page, "other-filters/minp-moves");
  await expect(page.locator(".minpnote")).toContainText(/before the cut, 34\.5.%, is 17\.2.%/);
});

keptTest("the links of the class plans open @everywhere", async ({ page, playground }) => {
  const plan = await readFile(new URL("../docs/PLAN40.md", import.meta.url), "utf8");
  const links = [...plan.matchAll(/\]\(http:[^#)\s]+(#[^)\s]+)\)/g)].map(([, hash]) => hash);
  await playground.open(links.find((hash) => hash.startsWith("#explore")));
  await expect(playground.bars).toBeVisible();
  for (const hash of new Set(links.filter((link) => link.startsWith("#lesson="))))
    await open(page, hash.replace("#lesson=", ""));
  await page.evaluate(
    (to) => {
      location.hash = to ?? "";
    },
    links.find((hash) => hash.startsWith("#compare")),
  );
  await expect(page.locator("#view-compare .pane")).toHaveCount(6);
  await expect(page.locator(".linknote")).toBeHidden();
});

import { readFile } from "node:fs/promises";
import { expect, test } from "./fixtures.js";
import { createPlayground } from "./playground.js";

/**
 * What was typed, set and forked is there after an update, and whatever storage
 * holds, the page starts. Reloads are in steps.spec.js, crashes in crash.spec.js.
 */

/** What a visit kept before limits, lists of tokens and strategies with lists were there. */
const OLD = {
  view: "explore",
  prompt: "Old words",
  bos: false,
  settings: {
    strategy: "sampling",
    strategyArgs: { beam: { num_beams: 3 } },
    stages: [
      { kind: "temperature", on: true, args: { temperature: 1.25 } },
      { kind: "top_p", on: true, args: { top_p: 0.55 }, lists: {} },
      { kind: "a_stage_of_tomorrow", on: true, args: { x: 1 } },
    ],
    seed: 7,
    max_new_tokens: 50,
    ends: true,
    stop: [],
  },
  branches: [
    { name: "A", tokens: [[262, false]] },
    {
      name: "B",
      tokens: [
        [262, false],
        [3290, true],
      ],
    },
  ],
  branch: 1,
  something: "of another version",
};

/** @type {[string, string][]} */
const BROKEN = [
  ["no JSON", "{"],
  ["a number", "7"],
  ["a list", "[]"],
  [
    "wrong types",
    '{"prompt":5,"settings":{"stages":7},"branches":"x","branch":9,"panes":[{}],"view":"<b>","draws":null,"die":"x"}',
  ],
  [
    "stages of nothing",
    '{"settings":{"strategy":"sampling","strategyArgs":{},"stages":[null,{"kind":"top_p"}]},"branches":[null]}',
  ],
];

test("a reload gives each of two tabs its own text and branches @everywhere", async ({
  page,
  playground,
}) => {
  await playground.open("#explore?v=1&prompt=Once+upon+a");
  for (let n = 1; n <= 2; n++) {
    await playground.button("Draw this token").click();
    await expect(playground.drawnTokens).toHaveCount(n);
  }
  await playground.drawnTokens.nth(1).click();
  await playground.button("Fork here").click();
  const branches = page.getByRole("group", { name: "Branches" }).getByRole("button");
  await expect(branches).toHaveCount(2);
  const text = await playground.textNow();

  const second = await page.context().newPage();
  const other = createPlayground(second);
  await second.goto(page.url().replace(/#.*/, "#explore?v=1&prompt=The+king"));
  await other.ready();
  await other.button("Draw this token").click();
  await expect(other.drawnTokens).toHaveCount(1);
  await second.reload(); // which keeps all that was put off

  await page.reload();
  await playground.ready();
  await expect(branches).toHaveCount(2);
  await expect.poll(() => playground.textNow()).toEqual(text);
  await other.ready();
  await expect(other.promptTokens).toHaveText(["The", " king"]);
  await second.close();
});

test("a new version takes what an old one kept, and a page starts whatever it finds", async ({
  page,
  playground,
}) => {
  await page.addInitScript(() => {
    if (location.protocol === "about:") return;
    const kept = sessionStorage.getItem("kept");
    const tab = sessionStorage.getItem("tab");
    if (kept === null) return;
    localStorage.setItem("decoding-playground", kept);
    if (tab === "here") sessionStorage.setItem("decoding-playground-tab", kept);
    else sessionStorage.removeItem("decoding-playground-tab");
  });
  const visit = async (/** @type {string} */ kept, tab = "new") => {
    await page.evaluate(
      (what) => {
        for (const [name, text] of Object.entries(what)) sessionStorage.setItem(name, text);
      },
      { kept, tab },
    );
    await page.goto("about:blank");
    await playground.open();
  };
  await playground.open();
  await page.evaluate(() => {
    const lessons = { "top-p": { seen: ["start"], solved: ["x"], guesses: { a: 1, b: "no" } } };
    localStorage.setItem("decoding-playground-lessons", JSON.stringify(lessons));
    localStorage.setItem("decoding-playground-own-lessons", '[{"title": 1}]');
    localStorage.setItem("decoding-playground-theme", "<b>");
    return caches.open("models-0"); // of a version that is gone
  });

  await visit(JSON.stringify(OLD));
  await expect(playground.promptTokens).toHaveText(["Old", " words"]);
  await expect(playground.setting("Top-p").box).toHaveValue("0.55");
  await expect(playground.setting("Temperature").box).toHaveValue("1.25");
  await expect(playground.drawnTokens).toHaveCount(2);
  await expect(page.getByRole("group", { name: "Branches" }).getByRole("button")).toHaveCount(2);

  for (const [name, kept] of BROKEN)
    await test.step(name, async () => {
      for (const tab of ["new", "here"]) {
        await visit(kept, tab);
        await expect(playground.take).toHaveCount(12);
      }
    });
});

test("after an update old links are followed, and own lessons read or named @everywhere", async ({
  page,
  playground,
}) => {
  const text = await readFile(new URL("../web/lessons/en/softmax.json", import.meta.url), "utf8");
  const mine = { ...JSON.parse(text), id: "mine", title: "Mine" };
  const { goal: _, ...early } = { ...mine, id: "early", title: "Of an early day" };
  const own = [{ ...mine, id: "tomorrow", title: "Of tomorrow", sound: "on" }, early, mine];
  await page.addInitScript(
    ([kept, lessons]) => {
      if (location.pathname !== "/" || localStorage.getItem("decoding-playground")) return;
      localStorage.setItem("decoding-playground", kept);
      localStorage.setItem("decoding-playground-own-lessons", lessons);
    },
    [JSON.stringify(OLD), JSON.stringify(own)],
  );
  await playground.open();
  await expect(playground.drawnTokens).toHaveCount(2);

  // From before links had a version, with a stage and a model that are gone.
  const note = page.locator(".linknote");
  await page.goto(
    "/#explore?prompt=A+link&model=gone&stages=top_p:0.65;a_stage_of_once:1&seed=3&text=262",
  );
  await expect(playground.promptTokens).toHaveText(["A", " link"]);
  await expect(playground.drawnTokens).toHaveCount(1);
  await expect(playground.setting("Top-p").box).toHaveValue("0.65");
  await expect(note).toContainText("stage a_stage_of_once");
  await expect(note).toContainText("gone");
  await page.goBack();
  await expect(playground.promptTokens).toHaveText(["Old", " words"]);
  await expect(playground.setting("Top-p").box).toHaveValue("0.55");

  await page.goto("/#lesson=mine&step=gaps");
  await expect(page.locator(".lesson h1")).toHaveText("Mine");
  await page.goto("/#lesson=early");
  await expect(page.getByText("There is no lesson early here")).toBeVisible();
  const cards = page.locator(".lessonhome .filetold.panel");
  await expect(cards).toHaveCount(2);
  await expect(cards.nth(0)).toContainText("Of tomorrow is kept");
  await expect(cards.nth(0)).toContainText("sound: it is not known here");
  await expect(cards.nth(1)).toContainText("goal: it is missing");
  await page.getByRole("button", { name: "Remove Mine" }).click();
  await page.reload();
  await expect(cards).toHaveCount(2);
  await page.getByRole("button", { name: "Remove Of an early day" }).click();
  await expect(cards).toHaveCount(1);
});

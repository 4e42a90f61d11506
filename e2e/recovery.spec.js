import { expect, test } from "./fixtures.js";

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

test("a new version takes what an old one kept, and a page starts whatever it finds", async ({
  page,
  playground,
}) => {
  await page.addInitScript(() => {
    if (location.protocol === "about:") return;
    const kept = sessionStorage.getItem("kept");
    if (kept !== null) localStorage.setItem("decoding-playground", kept);
  });
  const visit = async (/** @type {string} */ kept) => {
    await page.evaluate((k) => sessionStorage.setItem("kept", k), kept);
    await page.goto("about:blank");
    await playground.open();
  };
  await playground.open();
  await page.evaluate(() => {
    const lessons = { "top-p": { seen: ["start"], solved: ["x"], guesses: { a: 1, b: "no" } } };
    localStorage.setItem("decoding-playground-lessons", JSON.stringify(lessons));
    localStorage.setItem("decoding-playground-own", '[{"title": 1}]');
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
      await visit(kept);
      await expect(playground.take).toHaveCount(12);
    });
});

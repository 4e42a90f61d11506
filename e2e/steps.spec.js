import { expect, keptTest as test } from "./fixtures.js";
import { fillNumber } from "./playground.js";

test.beforeEach(({ playground }) => playground.open());

test("drawing adds the token that the sentence names @everywhere", async ({ playground }) => {
  const named = (await playground.why.locator("mark").first().textContent()) ?? "";
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  await expect(playground.drawnTokens.first()).toHaveText(named.trim());
});

test("the same seed draws the same text, another seed another one", async ({
  page,
  playground,
}) => {
  await playground.endless();
  const draw = async () => {
    for (let n = 1; n <= 4; n++) {
      await playground.button("Draw").click();
      await expect(playground.drawnTokens).toHaveCount(n);
    }
    return playground.textNow();
  };
  await playground.only({ Temperature: 2 });
  const first = await draw();
  for (let n = 3; n >= 0; n--) {
    await playground.button("Undo").click();
    await expect(playground.drawnTokens).toHaveCount(n);
  }
  expect(await draw()).toEqual(first);
  await playground.drawnTokens.first().click();
  await playground.button("Rewind").click();
  await expect(playground.drawnTokens).toHaveCount(0);
  await fillNumber(page.getByRole("spinbutton", { name: "Seed" }), "987");
  await expect(playground.drawnTokens).toHaveCount(0);
  expect(await draw()).not.toEqual(first);
});

test("run makes twenty steps, pause ends it early", async ({ playground }) => {
  await playground.endless();
  await playground.run();
  await playground.button("Run").click();
  await playground.button("Pause").click();
  await expect(playground.button("Run")).toBeVisible();
  await playground.settled(); // the step that was under way
  const paused = await playground.drawnTokens.count();
  expect(paused).toBeLessThan(40);
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(paused + 1);
});

test("a bar that is clicked is taken, and is marked as taken by hand", async ({ playground }) => {
  const third = playground.take.nth(2);
  const token = (await third.textContent()) ?? "";
  await third.click();
  await expect(playground.drawnTokens).toHaveCount(1);
  await expect(playground.drawnTokens.first()).toHaveText(token.trim());
  await expect(playground.drawnTokens.first()).toHaveClass(/forced/);
});

test("a removed token can be taken, too", async ({ playground }) => {
  await playground.only({ "Top-k": 1 });
  await expect.poll(() => playground.number("nucleus")).toBe(1);
  await playground.take.nth(4).click();
  await expect(playground.drawnTokens).toHaveCount(1);
});

test("a token that is clicked shows its own step", async ({ playground }) => {
  const first = await playground.rows();
  for (let n = 1; n <= 3; n++) {
    await playground.button("Draw").click();
    await expect(playground.drawnTokens).toHaveCount(n);
  }
  expect((await playground.rows()).map((r) => r.token)).not.toEqual(first.map((r) => r.token));
  await playground.drawnTokens.first().click();
  await expect(playground.drawnTokens.first()).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => playground.rows()).toEqual(first);
  await playground.button("Back").click();
  await expect(playground.drawnTokens.first()).toHaveAttribute("aria-pressed", "false");
});

test("no die is thrown for a text that has ended", async ({ page, playground }) => {
  await playground.open(
    "#explore?v=1&prompt=Once+upon+a&stages=temperature:0.8&max_new_tokens=1&eos=0",
  );
  await playground.button("Draw this token").click();
  await expect(page.locator(".why:visible")).toHaveText(/The text has ended/);
  await expect(playground.take.first()).toBeVisible();
  await expect(page.locator(".bars .tag.die")).toHaveCount(0);
});

test("a past step stays as it was taken, and says with what", async ({ page, playground }) => {
  await playground.open(
    "#explore?v=1&prompt=Once+upon+a&stages=temperature:0.8;top_k:40;top_p:0.9",
  );
  await playground.button("Draw this token").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  await playground.drawnTokens.first().click();
  await playground.settled();
  const strips = page.locator(".stops:visible");
  const kept = await playground.number("nucleus");
  await expect(strips).toContainText("0.80");
  const { box } = playground.setting("Temperature");
  await fillNumber(box, "2");
  const why = page.locator(".why:visible");
  await expect(why).toContainText("It was taken with Sampling, T 0.80, k 40, p 0.90");
  await expect(strips).toContainText("0.80");
  await playground.settled();
  await expect(strips).not.toContainText("2.00");
  expect(await playground.number("nucleus")).toBe(kept);
  await fillNumber(box, "0.8");
  await expect(why).not.toContainText("It was taken with");
  await fillNumber(box, "2");
  await page.locator(".backbtn").click();
  await expect(strips).toContainText("2.00");
});

test("rewind goes back to a step", async ({ playground }) => {
  await playground.endless();
  await playground.run();
  const text = await playground.textNow();
  await playground.drawnTokens.nth(4).click();
  await playground.button("Rewind").click();
  await expect(playground.drawnTokens).toHaveCount(4);
  expect(await playground.textNow()).toEqual(text.slice(0, 4));
  await playground.run();
  expect((await playground.textNow()).slice(0, 20)).toEqual(text);
});

test("a fork goes another way and leaves the first text alone", async ({ page, playground }) => {
  await playground.endless();
  await playground.run();
  const text = await playground.textNow();
  await playground.drawnTokens.nth(3).click();
  await playground.button("Fork").click();
  await expect(playground.drawnTokens).toHaveCount(3);
  await playground.take.nth(5).click();
  await expect(playground.drawnTokens).toHaveCount(4);
  const branches = page.getByRole("group", { name: "Branches" });
  await expect(branches.getByRole("button")).toHaveCount(2);
  await branches.getByRole("button").first().click();
  await expect.poll(() => playground.textNow()).toEqual(text);
  await branches.getByRole("button").last().click();
  await playground.button("Remove branch B").click();
  await expect(branches).toBeHidden();
  await expect.poll(() => playground.textNow()).toEqual(text);
});

test("reload keeps prompt, settings, texts and branches @everywhere", async ({
  page,
  playground,
}) => {
  await playground.endless();
  await playground.type("Once upon a time");
  await expect(playground.promptTokens).toHaveCount(4);
  await playground.set("Top-p", 0.81);
  await playground.set("Temperature", 1.3);
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  await playground.take.nth(3).click();
  await expect(playground.drawnTokens).toHaveCount(2);
  await playground.settled();
  const text = await playground.textNow();
  const rows = await playground.rows();
  await page.reload();
  await playground.ready();
  await expect(playground.promptTokens).toHaveCount(4);
  await expect(playground.setting("Top-p").box).toHaveValue("0.81");
  await expect(playground.setting("Temperature").box).toHaveValue(/^1\.30?$/);
  await expect.poll(() => playground.textNow()).toEqual(text);
  await expect.poll(() => playground.rows()).toEqual(rows);
});

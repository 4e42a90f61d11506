import { expect, test } from "./fixtures.js";

test.use({ allowedErrors: /the engine fell over/ });

test("the engine ends: the page says so, and goes on where it was", async ({
  page,
  playground,
}) => {
  await playground.open();
  await playground.type("My own words");
  await expect(playground.promptTokens).toHaveCount(3);
  await playground.set("Top-p", 0.66);
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(1);
  const text = await playground.textNow();

  const [worker] = page.workers();
  await worker.evaluate(() => {
    setTimeout(() => {
      throw new Error("the engine fell over");
    });
  });
  const state = page.locator(".state:visible");
  await expect(state).toContainText("the engine fell over");
  await state.getByRole("button").first().click();
  await expect(state).toHaveCount(0);
  await expect(playground.text).toContainText("My own words");
  await expect(playground.setting("Top-p").box).toHaveValue("0.66");
  await expect.poll(() => playground.textNow()).toEqual(text);
  await playground.button("Draw").click();
  await expect(playground.drawnTokens).toHaveCount(2);
});

test("what was typed right before a crash is kept", async ({ page, playground }) => {
  await playground.open();
  await page.getByRole("button", { name: "Edit" }).first().click();
  await page.getByRole("textbox", { name: "Prompt" }).fill("Half a sent");
  await page.workers()[0].evaluate(() => {
    setTimeout(() => {
      throw new Error("the engine fell over");
    });
  });
  const state = page.locator(".state:visible");
  await state.getByRole("button").first().click();
  await expect(state).toHaveCount(0);
  await expect(playground.promptTokens).toHaveText(["Half", " a", " sent"]);
});

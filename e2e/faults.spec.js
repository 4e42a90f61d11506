import { faults, piecemeal } from "./faulty.js";
import { expect, test } from "./fixtures.js";

// The browser logs what a broken answer is; the page has to say it to a person.
test.use({ allowedErrors: /Failed to load resource|manifest\.json|part-\d+/ });

const part = /part-000/;

/** Faults that do not pass, and what the message has to name. */
const lasting = {
  missing: /part-000.*404/s,
  html: /part-000/,
  corrupt: /part-000/,
  gone: /part-000/,
};

for (const [name, says] of Object.entries(lasting)) {
  test(`a part that is ${name}: told by name, typed text stays, and there is a way on`, async ({
    page,
    host,
    playground,
  }) => {
    host.fail(part, faults[/** @type {keyof typeof faults} */ (name)]);
    await page.goto(`${host.url}#explore?prompt=My+own+words`);
    const state = page.locator(".state:visible");
    await expect(state).toContainText(says, { timeout: 20_000 });
    host.mend();
    await state.getByRole("button").first().click();
    await playground.ready();
    await expect(playground.text).toContainText("My own words");
  });
}

test("a host without Content-Encoding: the page decodes by itself @everywhere", async ({
  page,
  host,
  playground,
}) => {
  host.noEncoding();
  await playground.open("", host.url);
  await expect(playground.take).toHaveCount(12);
  const native = await page.evaluate(() => {
    try {
      return Boolean(new DecompressionStream(/** @type {any} */ ("brotli")));
    } catch {
      return false;
    }
  });
  expect(host.requests.some((path) => path.includes("unbrotli"))).toBe(!native);
});

test("a slow host: progress goes up, and can be cancelled", async ({ page, host, playground }) => {
  const slow = piecemeal(50);
  host.fail(part, slow.fault);
  await page.goto(host.url);
  const bar = page.getByRole("progressbar");
  const share = async () => {
    slow.next();
    return Number(await bar.getAttribute("aria-valuenow"));
  };
  let last = 0;
  for (let n = 0; n < 3; n++) {
    await expect.poll(share).toBeGreaterThan(last);
    last = await share();
    expect(last).toBeLessThan(100);
  }
  await page.getByRole("button", { name: "Cancel" }).click();
  const state = page.locator(".state:visible");
  await expect(state).toContainText("Nothing is loaded");
  host.mend();
  await state.getByRole("button", { name: /^Load / }).click();
  await playground.ready();
});

test("a model that is not there: named, with a way on", async ({ page, host, playground }) => {
  host.fail(/models\/.*manifest\.json/, faults.missing);
  await page.goto(host.url);
  const state = page.locator(".state:visible");
  await expect(state).toContainText("404");
  host.mend();
  await state.getByRole("button").first().click();
  await playground.ready();
});

test("an engine that is not there: a message, not an empty page", async ({
  page,
  host,
  playground,
}) => {
  host.fail(/engine.*\.wasm/, faults.missing);
  await page.goto(`${host.url}#explore?prompt=My+own+words`);
  const state = page.locator(".state:visible");
  await expect(state).toContainText("The engine stopped");
  host.mend();
  await state.getByRole("button", { name: "Start it again" }).click();
  await playground.ready();
  await expect(playground.text).toContainText("My own words");
});

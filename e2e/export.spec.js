import { downloaded } from "./downloads.js";
import { expect, keptTest as test } from "./fixtures.js";
import { fillNumber } from "./playground.js";

test.afterEach(({ page }) => page.keyboard.press("Escape"));

/** @param {import("@playwright/test").Page} page @param {string} group @param {string} name */
function take(page, group, name) {
  const part = page.getByRole("dialog", { name: "Share" }).locator("section", { hasText: group });
  return downloaded(page, part.getByRole("button", { name, exact: true }));
}

/** @param {import("@playwright/test").Page} page */
async function open(page) {
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("tab", { name: "Export" }).click();
}

test("a picture is a file of its own, with the page's colours @everywhere", async ({
  page,
  playground,
}) => {
  await playground.open(
    "#explore?stages=repetition_penalty:1.3;temperature:1.5;top_k:3;top_p:0.9&seed=5",
  );
  await open(page);
  const { name, data } = await take(page, "Picture", "SVG");
  expect(name).toMatch(/\.svg$/);
  const text = data.toString();
  expect(text).not.toMatch(/var\(|class=|style=|<script|<foreignObject|href=/);
  expect(text).toMatch(/fill="rgb\(/);
  expect(text).toContain("mouse");
  expect(text).toContain(">Temperature<"); // the names beside the strips
  // Else the edge of its letters hides the label of a piece that is cut.
  expect(/<text[^>]*paint-order="stroke"[^>]*>[^<]+</.test(text)).toBe(true);
  // It is well formed, and what is drawn from it is what is on the page.
  const blank = await page.context().newPage(); // the page itself makes nothing of text
  const drawn = await blank.evaluate(async (svg) => {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    const picture = document.body.appendChild(parsed.documentElement);
    const frame = picture.getBoundingClientRect();
    const inside = (/** @type {Element} */ el) => {
      const box = el.getBoundingClientRect();
      return box.left > frame.left + 8 && box.right < frame.right - 8 && box.top > frame.top + 8;
    };
    const texts = [...picture.querySelectorAll("text")];
    return {
      broken: parsed.querySelector("parsererror") !== null,
      rects: picture.querySelectorAll("rect").length,
      texts: texts.map((el) => el.textContent),
      outside: texts.filter((el) => !inside(el)).map((el) => el.textContent),
      clips: picture.querySelectorAll("svg svg:not([overflow=visible])").length,
    };
  }, text);
  await blank.close();
  expect(drawn.broken).toBe(false);
  expect(drawn.rects).toBeGreaterThan(10);
  expect(drawn.texts).toEqual(expect.arrayContaining(["Repeat penalty", "1.30"]));
  expect(drawn.outside).toEqual([]);
  expect(drawn.clips).toBe(0);

  const png = await take(page, "Picture", "PNG");
  expect(png.data.subarray(1, 4).toString()).toBe("PNG");
  const size = await page.evaluate(
    async (bytes) => {
      const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = /** @type {any} */ (canvas.getContext("2d"));
      context.drawImage(image, 0, 0);
      const { data: pixels } = context.getImageData(0, 0, image.width, image.height);
      const colours = new Set();
      for (let i = 0; i < pixels.length; i += 4)
        colours.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
      return { width: image.width, colours: colours.size };
    },
    [...png.data],
  );
  expect(size.width).toBeGreaterThan(800);
  expect(size.colours).toBeGreaterThan(20);
});

test("the throws are a picture that can be taken along @everywhere", async ({
  page,
  playground,
}) => {
  await playground.open("#draws?prompt=The+cat+ran+after+a");
  await open(page);
  const { data } = await take(page, "Picture", "SVG");
  const text = data.toString();
  expect(text).toContain(">mouse</text>");
  expect(text.match(/<rect/g)?.length).toBeGreaterThan(100); // a hundred throws
});

test("a step as CSV and JSON holds what the page shows @everywhere", async ({
  page,
  playground,
}) => {
  await playground.open();
  const kept = await playground.number("nucleus");
  await open(page);
  const csv = (await take(page, "This step", "CSV")).data.toString();
  const [head, first] = csv.split("\r\n");
  expect(head).toBe("rank,id,token_json,hex,logit,score,model_prob,prob,removed_by");
  expect(first).toMatch(/^1,\d+,""" mouse""",/);
  const json = JSON.parse((await take(page, "This step", "JSON")).data.toString());
  expect(json.format).toBe("decoding-playground/step");
  expect(json.numbers.nucleus_size).toBe(kept);
  const sum = json.tokens.reduce((/** @type {number} */ s, /** @type {any} */ t) => s + t.prob, 0);
  expect(Math.abs(sum - 1)).toBeLessThan(1e-4);
  expect(json.link).toContain("v=1");
});

test("a comparison as JSON, and as a report that runs nothing @everywhere", async ({
  page,
  playground,
  context,
}) => {
  const evil = "<img src=x onerror=alert(1)>";
  await playground.open(
    `#compare?v=1&prompt=${encodeURIComponent(evil)}&strategy=sampling&stages=&seed=21&pane=greedy!greedy!&pane=topp!sampling!top_p:0.9`,
  );
  await expect(page.locator(".metrics tbody tr")).toHaveCount(2);
  await expect(page.getByRole("button", { name: /again/i })).toBeVisible({ timeout: 60_000 });
  await open(page);
  const json = JSON.parse((await take(page, "Comparison", "JSON")).data.toString());
  expect(json.prompt).toBe(evil);
  expect(json.panes.map((/** @type {any} */ p) => p.settings.strategy)).toEqual([
    "greedy",
    "sampling",
  ]);
  expect(json.panes[0].text.length).toBeGreaterThan(0);

  // What is set elsewhere by now is not what was compared.
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Explore" }).click();
  await playground.type("One day");
  await fillNumber(page.getByRole("spinbutton", { name: "Seed" }), "5");
  await expect(playground.promptTokens).toHaveText(["One", "day"]);
  await open(page);
  const later = JSON.parse((await take(page, "Comparison", "JSON")).data.toString());
  expect(later).toEqual(json);

  const { data } = await take(page, "Comparison", "HTML");
  const report = await context.newPage();
  await report.setContent(data.toString());
  await expect(report.locator("h2").first()).toContainText("Greedy");
  await expect(report.locator(".given").first()).toHaveText(evil);
  expect(await report.locator("img, script").count()).toBe(0);
  expect(await report.locator("polyline").count()).toBe(6);
});

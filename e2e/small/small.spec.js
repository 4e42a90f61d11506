import { fileURLToPath } from "node:url";
import { expect, test } from "../fixtures.js";
import { createPlayground } from "../playground.js";
import { resident } from "../resident.js";
import { startServer } from "../server.js";

/**
 * A GPT-2 124M on a device of 2 GB: inside.sh gives the browser, the server and
 * this test together no more. A tab that is killed fails the test.
 */

const site = fileURLToPath(new URL("../../bin/load/site", import.meta.url));

test("GPT-2 124M loads, draws and compares where there are 2 GB", async ({ browser, context }) => {
  const server = await startServer(0, ["-dir", site]);
  try {
    const page = await context.newPage();
    const playground = createPlayground(page);
    const system = await browser.newBrowserCDPSession();
    const held = async (/** @type {string} */ when) => {
      const { processInfo } = await system.send("SystemInfo.getProcessInfo");
      const each = await Promise.all(processInfo.map((p) => resident(p.id)));
      const all = each.reduce((a, b) => a + b, 0);
      console.log(
        `${when}: ${all.toFixed(0)} MB in the browser's processes, ${Math.max(...each).toFixed(0)} in one`,
      );
    };
    await playground.open("", server.url);
    await held("default model");

    const button = page.getByRole("button", { name: /Choose a model/ });
    await button.click();
    await page.locator(".modellist li", { hasText: "124M, 8 bits" }).locator(".modelrow").click();
    await page.keyboard.press("Escape");
    await expect(button).toContainText("124M", { timeout: 120_000 });
    await expect(page.locator("[data-num=nucleus]")).toContainText("50,257", { timeout: 120_000 });
    await playground.settled();
    await held("GPT-2 124M, read the prompt");

    await playground.endless();
    await playground.run();
    await playground.run();
    await held("40 tokens drawn");

    await page.locator('header nav a[href="#compare"]').click();
    await playground.ready();
    await playground.settled();
    await held("four panes of 30 tokens");
    await expect(page.locator(".pane .t").first()).toBeVisible();
  } finally {
    await server.close();
  }
});

import { configFile, safetensors } from "../checkpoint.js";
import { expect, test } from "../fixtures.js";
import { resident } from "../resident.js";
import { startServer } from "../server.js";

/**
 * A long lesson, in a short time: one page is used without a pause for
 * SOAK_SECONDS, widgets come and go, and the engine is killed now and then. What
 * is held must not grow with the rounds.
 */

const SECONDS = Number(process.env.SOAK_SECONDS ?? 600);
const WIDGETS = Number(process.env.SOAK_WIDGETS ?? 200);
const SAMPLES = 20;
/** Of what comes after the first third. What waits to be collected lies on top of what
 * is held: in each part the least counts. */
const PARTS = 4;
/** Too few rounds to tell a slope. */
const FEW = 30;

/** Growth that a lesson of ninety minutes would not feel for each hundred rounds: MB, and
 * of `refs` values of the page that Go holds. Of those, up to 4,000 tokens are kept. */
const MOST = { page: 2, all: 8, worker: 2, engine: 8, rest: 15, refs: 1000 };

test.use({ allowedErrors: /the engine fell over/ });

/**
 * In MB but for refs and funcs: the page's heap, those of all its frames and workers, of its
 * worker alone, the engine's memory, and the process without that. Since it was asked before,
 * the engine made `funcs` functions for the page, and now it holds `refs` of its values.
 *
 * @typedef {{round: number, page: number, all: number, worker: number, engine: number,
 *   refs: number, funcs: number, rest: number}} Sample
 */

test("a lesson does not grow", async ({ browser, context, allowedErrors: _ }) => {
  const server = await startServer(0, ["-isolate"]);
  try {
    const page = await context.newPage();
    const { createPlayground } = await import("../playground.js");
    const playground = createPlayground(page);
    await playground.open("", server.url);
    const go = (/** @type {string} */ view) =>
      page.locator(`header nav a[href="#${view}"]`).click();
    await playground.endless();
    const models = page.locator(".modellist li");
    const first = (await page.locator(".modelname").textContent()) ?? "";
    await page
      .locator(".modelfiles")
      .setInputFiles([configFile(50257), safetensors("other.safetensors", 50257)]);
    await inUse("other");
    const inspector = await context.newCDPSession(page);
    const system = await browser.newBrowserCDPSession();

    /** @type {Sample[]} */
    const samples = [];
    const end = Date.now() + SECONDS * 1000;
    let round = 0;
    let killed = 0;
    let widgets = 0;
    const due = () => SAMPLES * Math.min(1, 1 - (end - Date.now()) / (SECONDS * 1000));
    while (Date.now() < end) {
      await use(round);
      while (Date.now() < end && widgets < (WIDGETS * due()) / SAMPLES) await mount(widgets++);
      if (round % 7 === 2) killed += await kill();
      if (round % 5 === 3) await change(["other", first][round % 2]);
      round++;
      if (due() >= samples.length) samples.push(await measure(round));
    }
    report(samples, `${round} rounds, ${widgets} widgets, ${killed} engines killed`);

    /** Draws, drags, forks, rewinds, compares, searches, and draws many. @param {number} n */
    async function use(n) {
      await go("explore");
      await playground.type(["The cat ran after a", "Once upon a time", "Tom said"][n % 3]);
      await expect(playground.drawnTokens).toHaveCount(0); // those of the prompt before
      await playground.settled();
      for (let i = 1; i <= 3; i++) {
        await playground.button("Draw this token").click();
        await expect(playground.drawnTokens).toHaveCount(i);
        await playground.settled();
      }
      const range = playground.setting("Top-p").range;
      for (let i = 0; i < 20; i++) await range.press(n % 2 ? "ArrowLeft" : "ArrowRight");
      await playground.drawnTokens.first().click();
      await playground.button("Fork").click();
      await playground.settled();
      await playground.button("Draw this token").click();
      await go(["compare", "beams", "draws", "lessons"][n % 4]);
      await playground.ready();
    }

    /** Another model is chosen, and its first distribution seen. @param {string} name */
    async function change(name) {
      await page.getByRole("button", { name: /Choose a model/ }).click();
      await models.filter({ hasText: name }).locator(".modelrow").click();
      await page.keyboard.press("Escape");
      await inUse(name);
    }

    /** @param {string} name */
    async function inUse(name) {
      await expect(page.getByRole("button", { name: /Choose a model/ })).toContainText(name);
      await playground.ready();
      await playground.settled();
    }

    /** A widget comes into the page and goes. @param {number} n */
    async function mount(n) {
      await page.evaluate(
        async (src) => {
          const frame = document.createElement("iframe");
          frame.src = src;
          const ready = new Promise((resolve) => {
            addEventListener("message", function listen({ data }) {
              if (data?.name !== "ready") return;
              removeEventListener("message", listen);
              resolve(undefined);
            });
          });
          document.body.append(frame);
          await ready;
          frame.remove();
        },
        `embed.html#view=distribution&toy=${["capital", "loop"][n % 2]}&strategy=sampling&stages=top_p:0.9&seed=${n}`,
      );
    }

    /** The engine ends at some moment; the page goes on with what it had. */
    async function kill() {
      await go("explore");
      await playground.ready();
      const before = await playground.text.textContent();
      playground
        .button("Run")
        .click()
        .catch(() => {}); // the card may cover it already
      await page.workers()[0].evaluate(() => {
        setTimeout(() => {
          throw new Error("the engine fell over");
        });
      });
      const state = page.locator(".state:visible");
      await expect(state).toContainText("the engine fell over");
      await state.getByRole("button").first().click();
      await expect(state).toHaveCount(0);
      await expect(playground.text).toContainText((before ?? "").slice(0, 12));
      return 1;
    }

    /** @param {number} round @returns {Promise<Sample>} */
    async function measure(round) {
      await inspector.send("HeapProfiler.collectGarbage");
      const { usedSize } = await inspector.send("Runtime.getHeapUsage");
      const heaps = await page.evaluate(async () => {
        const { bytes, breakdown } = await /** @type {any} */ (
          performance
        ).measureUserAgentSpecificMemory();
        const ofWorker = (/** @type {any} */ { attribution }) =>
          attribution.some((/** @type {any} */ a) => a.scope === "DedicatedWorkerGlobalScope");
        return { bytes, worker: breakdown.find(ofWorker)?.bytes ?? 0 };
      });
      const held = await page.workers()[0].evaluate(heldByGo);
      const { processInfo } = await system.send("SystemInfo.getProcessInfo");
      const renderers = processInfo.filter((p) => p.type === "renderer").map((p) => resident(p.id));
      const renderer = Math.max(...(await Promise.all(renderers)));
      const sample = {
        round,
        page: usedSize / 1e6,
        all: heaps.bytes / 1e6,
        worker: heaps.worker / 1e6,
        ...held,
        rest: renderer - held.engine,
      };
      console.log(
        JSON.stringify(sample, (_, v) => (typeof v === "number" ? Math.round(v * 10) / 10 : v)),
      );
      return sample;
    }
  } finally {
    await server.close();
  }
});

/**
 * What Go holds of its worker. It runs in the worker, whose Go has its tables in fields of
 * its own: a call shows it.
 */
function heldByGo() {
  const scope = /** @type {any} */ (globalThis);
  if (!scope.watched) {
    scope.watched = { funcs: 0 };
    const { _resume, _makeFuncWrapper } = scope.Go.prototype;
    scope.Go.prototype._resume = function () {
      scope.watched.go = this;
      return _resume.call(this);
    };
    scope.Go.prototype._makeFuncWrapper = function (/** @type {number} */ id) {
      scope.watched.funcs++;
      return _makeFuncWrapper.call(this, id);
    };
  }
  scope.engineCall("describe", {}, undefined);
  const { go, funcs } = scope.watched;
  return { engine: go.mem.buffer.byteLength / 1e6, refs: go._ids.size, funcs };
}

/** @param {Sample[]} samples @param {string} what */
function report(samples, what) {
  console.log(what);
  const made = samples.map(({ funcs }) => funcs);
  expect(made, "functions made for the page after the start").toEqual(made.map(() => 0));
  const rounds = samples.at(-1)?.round ?? 0;
  if (rounds < FEW) {
    console.log(`${rounds} rounds are too few to tell a slope`);
    expect(SECONDS, "a whole run has to tell it").toBeLessThan(600);
    return;
  }
  // The first third warms up: each view is made, caches fill, code is compiled.
  const steady = samples.slice(Math.ceil(samples.length / 3));
  const parts = Array.from({ length: PARTS }, (_, i) =>
    steady.filter((_, at) => Math.floor((at * PARTS) / steady.length) === i),
  );
  for (const name of /** @type {(keyof typeof MOST)[]} */ (Object.keys(MOST))) {
    const held = parts.map((part) => part.reduce((a, b) => (b[name] < a[name] ? b : a)));
    const slope = 100 * slopeOf(held.map((s) => [s.round, s[name]]));
    console.log(
      `${name}: ${held.at(-1)?.[name].toFixed(1)}, ${slope.toFixed(2)} more in 100 rounds`,
    );
    expect.soft(slope, `${name}, more in 100 rounds`).toBeLessThan(MOST[name]);
  }
}

/** Of the line through points with the least squares. @param {[number, number][]} points */
function slopeOf(points) {
  const mean = (/** @type {number[]} */ list) => list.reduce((a, b) => a + b, 0) / list.length;
  const [mx, my] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const over = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return over / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}

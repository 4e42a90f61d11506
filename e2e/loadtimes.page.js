/**
 * Opens the page in a frame and tells its host when the model was in place and
 * when the first distribution was drawn: no debugger is needed, which would keep
 * every answer in memory.
 */

const frame = document.createElement("iframe");
frame.style.cssText = "position: fixed; inset: 0; inline-size: 100%; block-size: 100%; border: 0";
frame.src = `./${location.hash}`;
document.body.append(frame);

/** @param {string} selector */
const shown = (selector) =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      const element = frame.contentDocument?.querySelector(selector);
      if (!element?.checkVisibility()) return;
      clearInterval(timer);
      resolve(performance.now());
    }, 20);
  });

async function report() {
  const loaded = await shown(".modelbtn .led.on");
  const ready = await shown("table.bars .take");
  await fetch(`./done?loaded=${Math.round(loaded)}&ready=${Math.round(ready)}&`);
}
report();

/** So many marks are kept: the browser keeps each until it is told not to. */
const MOST = 500;
let marks = 0;

/** Marks how long an input took to be drawn and to be painted, for whoever measures.
 * @param {number} stamp the time of the input's event */
export function measure(stamp) {
  if (++marks % MOST === 0) performance.clearMeasures();
  performance.measure("input-drawn", { start: stamp, end: performance.now() });
  requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () =>
      performance.measure("input-painted", { start: stamp, end: performance.now() });
    channel.port2.postMessage(null);
  });
}

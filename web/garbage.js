/** More than a browser gives: Chromium, which would take up to 32 GB, hasn't it either. */
const tooMuch = 24 * 2 ** 30;

/**
 * Has garbage collected, of which Chromium lets 64 MB lie in the page and in each worker.
 * Before it refuses memory it collects all there is, in 15 ms where there is little;
 * other browsers refuse at once.
 */
export function collectGarbage() {
  try {
    void new ArrayBuffer(tooMuch).byteLength;
  } catch {
    // as was to be
  }
}

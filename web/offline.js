/** Keeps the site on the device, where the browser can, once it has shown that it works. */

const WORKER = "serviceworker.js";

export function keepOffline() {
  // Not from a file, not without a secure context, not in some private windows.
  navigator.serviceWorker?.register(WORKER).catch(() => {});
}

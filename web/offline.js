/** Keeps the site on the device, where the browser can, once it has shown that it works. */

import { serviceWorkerURL } from "./trusted.js";

export function keepOffline() {
  // Not from a file, not without a secure context, not in some private windows.
  navigator.serviceWorker?.register(serviceWorkerURL()).catch(() => {});
}

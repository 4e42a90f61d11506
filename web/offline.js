/** Keeps the site on the device, where the browser can, once it has shown that it works. */

import { serviceWorkerURL } from "./trusted.js";

/** What is on screen comes first: keeping the site takes as long as loading it, ms. */
const LATER = 3000;

export function keepOffline() {
  // Not from a file, not without a secure context, not in some private windows.
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  setTimeout(() => serviceWorker.register(serviceWorkerURL()).catch(() => {}), LATER);
  const keepLater = () => serviceWorker.controller?.postMessage({ keep: "later" });
  serviceWorker.addEventListener("controllerchange", keepLater); // a new one has taken over
  keepLater();
}

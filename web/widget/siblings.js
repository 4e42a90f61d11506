/** The widgets of one page among themselves: one that has its model says so. */

const CHANNEL = "decoding-playground";

/** @param {() => void} onReady another widget has its model */
export function createSiblings(onReady) {
  const channel = openChannel();
  let ready = false;
  channel?.addEventListener("message", ({ data }) => {
    if (data === "ready") onReady();
    if (data === "who" && ready) channel.postMessage("ready");
  });
  channel?.postMessage("who");
  return {
    ready() {
      ready = true;
      channel?.postMessage("ready");
    },
  };
}

/** Old browsers have none, and a browser that blocks what other sites store may refuse it. */
function openChannel() {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
}

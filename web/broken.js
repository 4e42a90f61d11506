/** Says so where a part of the page's code cannot be had: a classic script, which needs no other part. */

addEventListener(
  "error",
  ({ target }) => {
    // In a sandbox with an origin of its own, no part can be had from anywhere.
    const sandboxed = self.origin === "null" ? document.querySelector("p.sandboxed") : null;
    const note = sandboxed ?? document.querySelector("p.broken");
    if (target instanceof HTMLScriptElement && note instanceof HTMLElement) note.hidden = false;
  },
  true, // such an error does not rise
);

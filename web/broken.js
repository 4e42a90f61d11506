/** Says so where a part of the page's code cannot be had: a classic script, which needs no other part. */

addEventListener(
  "error",
  ({ target }) => {
    const note = document.querySelector("p.broken");
    if (target instanceof HTMLScriptElement && note instanceof HTMLElement) note.hidden = false;
  },
  true, // such an error does not rise
);

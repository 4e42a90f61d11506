/** The height that a widget wants at the width that it has. */

/** @typedef {import("../share/snippets.js").Part} Part */

const LEAST = 300;
const MOST = 480;
/** Narrower than this the slider has a row of its own. */
const NARROW = 416;

/** @param {Part} part @param {number} width @param {number} content px that what is inside takes */
export function wantedHeight(part, width, content) {
  if (part === "lesson" || part === "step") return Math.max(LEAST, Math.ceil(content));
  const fifths = Math.round((width * 3) / 5);
  const least = width < NARROW ? LEAST + 40 : LEAST;
  return Math.min(MOST, Math.max(least, fifths));
}

/** @param {Part} part @param {HTMLElement} root @param {(height: number) => void} onHeight */
export function watchSize(part, root, onHeight) {
  const tell = () => {
    const width = document.documentElement.clientWidth;
    if (width) onHeight(wantedHeight(part, width, root.getBoundingClientRect().height + 32));
  };
  const watch = new ResizeObserver(tell);
  watch.observe(document.documentElement);
  watch.observe(root);
}

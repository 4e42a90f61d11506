/**
 * The element of embed.js as a front-end module of anywidget, which MyST and
 * Jupyter Book 2 show in a page, and which may be as high as it has to be:
 *
 *   :::{anywidget} https://…/anywidget.js
 *   { "site": "https://…/", "state": "view=lesson&lesson=top-p", "title": "Top-p" }
 *   :::
 *
 * `site` is the folder of the playground: MyST keeps a copy of this file beside
 * the book, so it imports nothing and can't tell from its own address.
 */

const PASSED = ["state", "title"];

export default {
  /** @param {{model: {get: (name: string) => any}, el: HTMLElement}} widget */
  render({ model, el }) {
    const script = new URL("embed.js", model.get("site")).href;
    if (![...document.scripts].some(({ src }) => src === script))
      document.head.append(Object.assign(document.createElement("script"), { src: script }));
    const playground = document.createElement("decoding-playground");
    for (const name of PASSED) playground.setAttribute(name, model.get(name) ?? "");
    el.replaceChildren(playground);
    return () => playground.remove();
  },
};

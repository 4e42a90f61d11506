/** What stands below a printed page: how to come to the same again. */

import { h, setKids } from "./dom.js";
import { paneTags } from "./panes.js";
import { strategy } from "./settings.js";
import { listed, t } from "./texts.js";

/** Views that go by the settings of the page; the others show their own. */
const SET = ["explore", "draws"];

/**
 * @param {HTMLElement} root
 * @param {object} source
 * @param {ReturnType<typeof import("./state.js").createStore>} source.store
 * @param {() => import("./api.d.ts").Described | null} source.described
 * @param {() => import("./api.d.ts").ModelInfo | null} source.model
 */
export function createPrinted(root, { store, described, model }) {
  const list = root.appendChild(h("dl", { class: "printed" }));

  /** @returns {[key: string, words: string | undefined][]} */
  function rows() {
    store.keep(); // what is put off of the address
    const { view, prompt, settings } = store.get();
    const known = described();
    const link = location.href;
    if (view === "lessons" || !settings || !known) return [["share.link", link]];
    const set = SET.includes(view);
    return [
      ["text.prompt", prompt],
      ["group.strategy", set ? strategy(known, settings.strategy)?.label : ""],
      ["controls.name", set ? listed(paneTags(known, settings)) : ""],
      ["limit.seed", view === "beams" ? "" : String(settings.seed)],
      ["model.title", model()?.name],
      ["share.link", link],
    ];
  }

  addEventListener("beforeprint", () =>
    setKids(
      list,
      rows()
        .filter(([, words]) => words)
        .map(([key, words]) => [h("dt", {}, t(key)), h("dd", { dir: "auto" }, words)]),
    ),
  );
}

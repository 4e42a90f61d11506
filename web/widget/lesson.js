/** The widget's lesson, or one step of it. */

import { $, h } from "../dom.js";
import { createLessons } from "../lesson/lessons.js";
import { readLink } from "../lesson/link.js";
import { t } from "../texts.js";

/**
 * @typedef {import("./widget.js").PartDeps} PartDeps
 * @typedef {import("./widget.js").Part} Part
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 */

/**
 * @param {HTMLElement} root
 * @param {Omit<PartDeps, "model"> & {alone: boolean, loadPage: () => Promise<ModelInfo>}} deps
 *   alone: a step, without the way to the others; loadPage: the model, which toys do not need
 * @returns {Promise<Part>}
 */
export async function createLessonPart(root, deps) {
  const { engine, store, described, alone, loadPage, onError, tell } = deps;
  const waiting = $(".statehost", root);
  waiting.append(h("p", { class: "hint", role: "status" }, t("widget.loading")));
  let asked = false;
  const view = createLessons(root, waiting, {
    engine,
    store,
    described,
    async onWant() {
      if (asked) return;
      asked = true;
      try {
        view.start(await loadPage());
      } catch (error) {
        asked = false;
        onError(error);
      }
    },
    onGo: (lesson, step) => tell("go", { lesson, step }),
    onTask: (solved) => tell("task", solved),
  });
  // A frame does not follow its address, and what is not part of it is shown by the page.
  root.addEventListener("click", (event) => {
    const a = /** @type {Element} */ (event.target).closest("a");
    if (!a?.getAttribute("href")?.startsWith("#")) return;
    event.preventDefault();
    const place = readLink(a.hash);
    if (alone || !place?.lesson) window.open(`index.html${a.hash}`, "_blank", "noopener");
    else {
      store.set({ lesson: [place.lesson, place.step].filter(Boolean).join("/") });
      view.refresh();
    }
  });
  await view.refresh();

  const none = async () => {
    throw new Error("a lesson is not steered from outside");
  };
  return { facts: async () => view.facts(), changed: none, run: none };
}

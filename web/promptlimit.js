/** A box for a prompt takes so much and no more, and says so beside it. */

import { h } from "./dom.js";
import { MOST_PROMPT } from "./fragment.js";
import { t } from "./texts.js";

/**
 * Limits a box; the answer stands beside it, and is seen while the box is full.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement} box
 */
export function limitPrompt(box) {
  const note = h("p", { class: "hint cutnote", role: "alert" });
  box.maxLength = MOST_PROMPT;
  const tell = () => {
    note.textContent = box.value.length < MOST_PROMPT ? "" : t("text.cut", { n: MOST_PROMPT });
  };
  box.addEventListener("input", tell);
  return { note, tell };
}

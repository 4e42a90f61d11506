/** A text to take along, with a button that copies it and says so. */

import { h, icon, say, setKids } from "../dom.js";
import { t } from "../texts.js";

/** How long the button says that it has, ms. */
const TOLD = 1600;

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @returns {HTMLButtonElement}
 */
export function copyButton(field) {
  const label = h("span", {}, t("share.copy"));
  const sign = h("span", { "data-icon": "copy" }, icon("copy"));
  let timer = 0;
  /** @param {boolean} done */
  function show(done) {
    label.textContent = t(done ? "share.copied" : "share.copy");
    setKids(sign, icon(done ? "check" : "copy"));
  }
  return h(
    "button",
    {
      type: "button",
      class: "btn primary copybtn",
      async onclick() {
        field.select();
        try {
          await navigator.clipboard.writeText(field.value);
        } catch {
          // Without leave to write the clipboard, the older way needs the selection.
          document.execCommand("copy");
        }
        show(true);
        say(t("share.copied"));
        clearTimeout(timer);
        timer = window.setTimeout(() => show(false), TOLD);
      },
    },
    sign,
    label,
  );
}

/** Hands a file to the person. @param {string} name @param {Blob | string} content @param {string} [type] */
export function save(name, content, type = "text/plain") {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const url = URL.createObjectURL(blob);
  const a = h("a", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

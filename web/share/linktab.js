/** The link to what is on screen. */

import { h } from "../dom.js";
import { writeFragment } from "../fragment.js";
import { link } from "../lesson/link.js";
import { t } from "../texts.js";
import { copyButton } from "./copy.js";

/** The folder of the site, with its "/". */
export const siteBase = () => new URL(".", location.href.replace(/#.*/s, "")).href;

/** @param {import("../state.js").State} state */
export function shareLink(state) {
  const [lesson, step] = state.lesson.split("/");
  const fragment = state.view === "lessons" ? link(lesson, step) : writeFragment(state);
  return siteBase() + fragment;
}

/** @param {import("./dialog.js").Source} source @returns {import("./dialog.js").Tab} */
export function linkTab({ state }) {
  const field = h("input", { type: "text", readOnly: true, "aria-label": t("share.link") });
  const withText = h("input", {
    type: "checkbox",
    class: "switch",
    role: "switch",
    checked: true,
    onchange: fill,
  });
  const label = h("label", { class: "bos" }, withText, h("span", {}, t("share.withText")));

  function fill() {
    const now = state();
    const tokens = now.branches[now.branch]?.tokens.length ?? 0;
    label.hidden = tokens === 0 || now.view === "lessons";
    field.value = shareLink(
      withText.checked ? now : { ...now, branches: [], branch: 0, die: null },
    );
  }
  return {
    el: h(
      "div",
      { class: "sharebody" },
      h("p", {}, t("share.linkDoc")),
      h("div", { class: "copyrow" }, field, copyButton(field)),
      label,
    ),
    open: fill,
  };
}

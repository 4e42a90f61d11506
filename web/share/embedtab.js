/** The widget for course notes: for which tool, which part, and what it looks like. */

import { h } from "../dom.js";
import { t } from "../texts.js";
import { copyButton } from "./copy.js";
import { siteBase } from "./linktab.js";
import { embedFragment, PARTS, SNIPPETS } from "./snippets.js";

/** A lesson that was opened has its name in its view. @param {string} lesson */
const lessonTitle = (lesson) =>
  document.querySelector("#view-lessons .lesson h1")?.textContent ??
  `${t("nav.lessons")}: ${lesson}`;

/** @param {import("./dialog.js").Source} source @returns {import("./dialog.js").Tab} */
export function embedTab({ state }) {
  /** @param {string} label @param {[string, string][]} options */
  const choice = (label, options) => {
    const select = h(
      "select",
      { onchange: fill },
      options.map(([value, text]) => h("option", { value }, text)),
    );
    return { select, el: h("label", { class: "row" }, h("span", {}, label), select) };
  };
  const tool = choice(
    t("share.for"),
    Object.keys(SNIPPETS).map((name) => [name, name]),
  );
  const part = choice(
    t("share.shows"),
    [...Object.values(PARTS), "step"].map((name) => [name, t(`share.part.${name}`)]),
  );
  const start = choice(t("share.starts"), [
    ["click", t("share.start.click")],
    ["now", t("share.start.now")],
  ]);
  const code = h("textarea", {
    class: "code",
    readOnly: true,
    rows: 5,
    "aria-label": t("share.snippet"),
  });
  const preview = h("iframe", { class: "preview", title: t("share.preview") });
  let previewed = "";

  function fill() {
    const now = state();
    for (const option of part.select.options)
      if (["lesson", "step"].includes(option.value)) option.disabled = !now.lesson;
    const how = {
      part: /** @type {import("./snippets.js").Part} */ (part.select.value),
      start: /** @type {"click" | "now"} */ (start.select.value),
    };
    const fragment = embedFragment(now, how);
    const prompt = now.prompt.slice(0, 60).replace(/\s+/g, " ").trim();
    const lesson = ["lesson", "step"].includes(how.part);
    const title = lesson ? lessonTitle(now.lesson) : t("share.frameTitle", { prompt });
    code.value = SNIPPETS[tool.select.value]({ base: siteBase(), fragment, title });
    const src = `embed.html#${fragment}`;
    if (src === previewed) return;
    // Another fragment alone would not load the frame anew.
    previewed = src;
    preview.replaceWith(preview);
    preview.src = "about:blank";
    requestAnimationFrame(() => {
      preview.src = src;
    });
  }

  return {
    el: h(
      "div",
      { class: "sharebody" },
      h(
        "div",
        { class: "embedgrid" },
        h(
          "div",
          { class: "embedopts" },
          tool.el,
          part.el,
          start.el,
          h("p", { class: "hint" }, t("share.oneModel")),
        ),
        preview,
      ),
      code,
      h("div", { class: "acts" }, copyButton(code)),
    ),
    open() {
      const now = PARTS[state().view];
      part.select.value = now === "lesson" && !state().lesson ? "distribution" : now;
      fill();
    },
  };
}

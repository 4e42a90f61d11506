/**
 * The dock of small screens: the stages' letters and values, and exactly one of
 * the panel's settings, so that the picture stays in view. The last button
 * opens the whole panel.
 */

import { $, $$, h, icon, keyed, setAttr, setText } from "./dom.js";
import { value } from "./format.js";
import { role } from "./rows.js";
import { processor } from "./settings.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Stage} Stage
 */

const TABS = 4;
/** Stages worth a place in the dock, in this order, before any other. */
const FIRST = ["temperature", "top_k", "top_p", "min_p"];

/**
 * @param {HTMLElement} root the settings panel
 * @param {{described: Described}} deps
 */
export function createDock(root, { described }) {
  let one = "top_p";
  const bar = h("div", { class: "dock", role: "group", "aria-label": t("dock.name") });
  const tabs = h("div", { class: "docktabs" });
  const more = h(
    "button",
    {
      type: "button",
      class: "docktab more",
      "aria-expanded": "false",
      "aria-controls": root.id,
      onclick: () => open(!root.classList.contains("open")),
    },
    icon("tune"),
    h("span", { class: "sr" }, t("dock.all")),
  );
  bar.append(tabs, more);
  root.prepend(bar);
  root.addEventListener("keydown", (e) => {
    if (e.key !== "Escape" || !root.classList.contains("open")) return;
    open(false);
    more.focus();
  });

  /** @param {boolean} on */
  function open(on) {
    root.classList.toggle("open", on);
    setAttr(more, "aria-expanded", String(on));
    if (!on) root.scrollTop = 0;
  }

  function pick() {
    for (const part of $$(".stagepart", root))
      part.classList.toggle("one", part.dataset.kind === one);
    for (const tab of $$(".docktab[data-kind]", tabs))
      setAttr(tab, "aria-pressed", String(tab.dataset.kind === one));
  }

  return {
    /** @param {Settings} settings */
    sync(settings) {
      const rank = (/** @type {Stage} */ s) =>
        FIRST.includes(s.kind) ? FIRST.indexOf(s.kind) : s.on ? FIRST.length : FIRST.length + 1;
      const shown = settings.stages
        .filter((s) => (processor(described, s.kind)?.params.length ?? 0) > 0)
        .toSorted((a, b) => rank(a) - rank(b))
        .slice(0, TABS);
      if (!shown.some((s) => s.kind === one) && shown[0]) one = shown[0].kind;
      keyed(
        tabs,
        shown,
        (s) => s.kind,
        (s) => {
          const kind = processor(described, s.kind);
          return h(
            "button",
            {
              type: "button",
              "data-kind": s.kind,
              onclick: () => {
                one = s.kind;
                pick();
              },
            },
            h("span", { class: "sym", "aria-hidden": "true" }, kind?.letter ?? ""),
            h("span", { class: "sr" }, `${kind?.label} `),
            h("span", { class: "dv" }),
          );
        },
        (tab, s) => {
          const param = /** @type {import("./api.d.ts").Param} */ (
            processor(described, s.kind)?.params[0]
          );
          setAttr(tab, "class", `docktab ${role(s.kind)}${s.on ? "" : " off"}`);
          setText(
            $(".dv", tab),
            s.on ? value(param, s.args[param.name] ?? param.default) : t("dock.off"),
          );
        },
      );
      pick();
    },
  };
}

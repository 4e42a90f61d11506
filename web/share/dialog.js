/** The dialog Share: a link, the widget for course notes, files, and the same in Python. */

import { $$, h, icon, setAttr } from "../dom.js";
import { t } from "../texts.js";
import { embedTab } from "./embedtab.js";
import { exportTab } from "./exporttab.js";
import { linkTab } from "./linktab.js";
import { pythonTab } from "./pythontab.js";

/**
 * @typedef {import("../state.js").State} State
 * @typedef {import("../reader.js").Engine} Engine
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 *
 * @typedef {object} Source what there is to share
 * @property {Engine} engine
 * @property {() => State} state
 * @property {() => Described | null} described
 * @property {() => ModelInfo | null} model
 * @property {() => {session: number, step: number, settings: import("../settings.js").Settings} | null} step the one on screen in Explore
 * @property {() => {state: State, panes: import("../compare.js").Entry[]} | null} ran what Compare has written
 *
 * @typedef {object} Tab
 * @property {HTMLElement} el
 * @property {() => void} open fills it anew
 */

const TABS = /** @type {const} */ (["link", "embed", "export", "python"]);

/** @param {Source} source */
export function createShare(source) {
  /** @type {Record<string, Tab>} */
  const tabs = {
    link: linkTab(source),
    embed: embedTab(source),
    export: exportTab(source),
    python: pythonTab(source),
  };
  const buttons = TABS.map((name) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `share-tab-${name}`,
        "aria-controls": `share-${name}`,
        onclick: () => open(name),
        onkeydown: (/** @type {KeyboardEvent} */ e) => walk(e, name),
      },
      t(`share.tab.${name}`),
    ),
  );
  const dialog = h(
    "dialog",
    { class: "sharedlg", "aria-labelledby": "h-share" },
    h(
      "div",
      { class: "phead" },
      h("h2", { id: "h-share" }, t("share.title")),
      h("span", { class: "grow" }),
      h(
        "button",
        {
          type: "button",
          class: "iconbtn",
          "aria-label": t("share.close"),
          onclick: () => dialog.close(),
        },
        icon("close"),
      ),
    ),
    h("div", { class: "tabs", role: "tablist", "aria-label": t("share.ways") }, buttons),
    TABS.map((name) =>
      h(
        "div",
        { role: "tabpanel", id: `share-${name}`, "aria-labelledby": `share-tab-${name}` },
        tabs[name].el,
      ),
    ),
  );
  dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
  document.body.append(dialog);

  /** @param {string} name */
  function open(name) {
    for (const [i, other] of TABS.entries()) {
      setAttr(buttons[i], "aria-selected", String(other === name));
      buttons[i].tabIndex = other === name ? 0 : -1;
    }
    for (const panel of $$("[role=tabpanel]", dialog)) panel.hidden = panel.id !== `share-${name}`;
    tabs[name].open();
  }

  /** @param {KeyboardEvent} e @param {typeof TABS[number]} name */
  function walk(e, name) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!by) return;
    const turn = document.documentElement.dir === "rtl" ? -by : by;
    const to = (TABS.indexOf(name) + turn + TABS.length) % TABS.length;
    open(TABS[to]);
    buttons[to].focus();
  }

  return {
    /** @param {typeof TABS[number]} [name] */
    show(name = "link") {
      open(name);
      dialog.showModal();
      buttons[TABS.indexOf(name)].focus();
    },
  };
}

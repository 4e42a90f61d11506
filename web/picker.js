/** A list to pick a kind from: by group, searched by name and meaning, each with its formula. */

import { h, setAttr, setText } from "./dom.js";
import { has, t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Kind} Kind
 *
 * @typedef {object} Deps
 * @property {string} id
 * @property {string} label what the button says
 * @property {() => Kind[]} kinds what can be picked now
 * @property {string[]} groups their order
 * @property {(kind: Kind) => void} onPick
 */

/** @param {string} name */
export const groupName = (name) => (has(`group.${name}`) ? t(`group.${name}`) : name);

/** What a search looks through. @param {Kind} k */
const wordsOf = (k) =>
  `${k.label} ${k.name.replaceAll("_", " ")} ${groupName(k.group)} ${k.doc} ${k.source}`.toLowerCase();

/** A formula, which reads from left to right in every language. @param {string} signs */
export const formula = (signs) =>
  h("code", { class: "formula", dir: "ltr", title: t("pick.signs") }, signs);

/** @param {Deps} deps */
export function createPicker({ id, label, kinds, groups, onPick }) {
  const search = h("input", {
    type: "search",
    id: `${id}-search`,
    "aria-label": t("pick.search"),
    placeholder: t("pick.search"),
    oninput: draw,
  });
  const found = h("p", { class: "sr", role: "status" });
  const list = h("div", { class: "picklist" });
  const box = h(
    "div",
    {
      class: "pickbox",
      id: `${id}-picks`,
      popover: "auto",
      role: "dialog",
      "aria-label": label,
      ontoggle: (/** @type {Event} */ e) =>
        setAttr(
          button,
          "aria-expanded",
          String(/** @type {ToggleEvent} */ (e).newState === "open"),
        ),
    },
    search,
    found,
    list,
    h("p", { class: "hint" }, t("pick.signs")),
  );
  const button = h("button", { type: "button", class: "btn pickbtn", id, onclick: open }, label);
  setAttr(button, "aria-expanded", "false");
  setAttr(button, "aria-controls", box.id);
  const el = h("div", { class: "picker" }, button, box);
  el.addEventListener("keydown", onKey);

  const options = () => /** @type {HTMLButtonElement[]} */ ([...list.querySelectorAll("button")]);

  function open() {
    search.value = "";
    draw();
    box.showPopover();
    list.scrollTop = 0;
    search.focus();
  }

  function draw() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const hits = kinds().filter((k) => words.every((w) => wordsOf(k).includes(w)));
    list.replaceChildren(
      ...groups
        .map((group) => ({ group, mine: hits.filter((k) => k.group === group) }))
        .filter(({ mine }) => mine.length)
        .map(({ group, mine }) =>
          h(
            "section",
            { "aria-label": groupName(group) },
            h("h3", {}, groupName(group)),
            mine.map(make),
          ),
        ),
    );
    setText(found, t("pick.found", { n: hits.length }));
  }

  /** @param {Kind} kind */
  const make = (kind) =>
    h(
      "button",
      {
        type: "button",
        class: "pick",
        "data-kind": kind.name,
        onclick: () => {
          box.hidePopover();
          onPick(kind);
        },
      },
      h("b", {}, kind.label),
      h("span", { class: "pickdoc" }, kind.doc),
      formula(kind.formula),
    );

  /** Arrows walk the list, Enter in the search takes the first.
   * @param {KeyboardEvent} e */
  function onKey(e) {
    if (!box.matches(":popover-open") || e.isComposing) return;
    if (e.key === "Escape") return e.stopPropagation(); // closes the list, not what is below it
    const all = options();
    const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (e.key === "Enter" && document.activeElement === search) all[0]?.click();
    else if (by && at + by < 0) search.focus();
    else if (by) all[Math.min(all.length - 1, at + by)]?.focus();
    else return;
    e.preventDefault();
    e.stopPropagation();
  }

  return { el, button };
}

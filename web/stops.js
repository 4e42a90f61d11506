/** The stage scrubber: which strip the bars show. */

import { $, h, keyed, setAttr, setText } from "./dom.js";
import { rowNote } from "./rows.js";
import { t } from "./texts.js";

/** @typedef {import("./rows.js").Row} Row */

let groups = 0;

/**
 * @param {HTMLElement} root
 * @param {{onSelect: (key: string, last: boolean) => void}} deps
 */
export function createStops(root, { onSelect }) {
  /** @type {Row[]} */
  let rows = [];
  const group = `stage${++groups}`; // no two scrubbers share their radios

  /** @param {Row} row */
  const make = (row) => {
    const input = h("input", {
      type: "radio",
      name: group,
      class: "sr",
      onchange: () => onSelect(row.key, rows[rows.length - 1].key === row.key),
    });
    return h(
      "label",
      {},
      input,
      h("span", { class: "dot", "aria-hidden": "true" }),
      h(
        "span",
        { class: "what" },
        h("span", { class: "name" }),
        h("b"),
        h("em", { class: "badge" }, t("stage.final")),
      ),
      h("span", { class: "sub" }),
    );
  };

  return {
    /** @param {Row[]} now @param {number} selected */
    update(now, selected) {
      rows = now;
      keyed(
        root,
        rows,
        (row) => row.key,
        make,
        (el, row, i) => {
          const off = !row.on || row.ignored;
          setAttr(
            el,
            "class",
            `stop ${row.role}${off ? " off" : ""}${i === selected ? " sel" : ""}${i > selected ? " later" : ""}`,
          );
          const input = /** @type {HTMLInputElement} */ ($("input", el));
          if (input.checked !== (i === selected)) input.checked = i === selected;
          setText($(".name", el), `${row.label} `);
          setText($("b", el), off ? "" : row.value);
          $(".badge", el).hidden = i !== rows.length - 1;
          setText($(".sub", el), rowNote(row));
        },
      );
    },
  };
}

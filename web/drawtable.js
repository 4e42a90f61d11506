/** Counts of throws, a row a token: what was drawn, what was expected, and how far off is usual. */

import { $, h, keyed, setAttr, setStyle, setText } from "./dom.js";
import { nameOf } from "./drawpicture.js";
import { fixed, int, pct } from "./format.js";
import { isolated, t } from "./texts.js";
import { axisEnd } from "./throws.js";

/** @typedef {import("./throws.js").Row} Row */

/** What the counts say in a sentence. @param {Row[]} rows @param {number} count */
export function verdict(rows, count) {
  if (count === 1) return t("draws.one");
  const inside = rows.filter((r) => !r.outside).length;
  const told =
    inside === rows.length
      ? t("draws.allInside", { n: rows.length })
      : t("draws.someInside", { n: rows.length, n_in: inside });
  return `${told} ${t("draws.more")}`;
}

/** @param {HTMLElement} root the table */
export function createDrawTable(root) {
  const body = $("tbody", root);
  const make = () =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: "word", dir: "auto" })),
      h(
        "td",
        { class: "barcell" },
        h(
          "div",
          { class: "bar" },
          h("span", { class: "fill drawn" }),
          h("span", { class: "whisk" }),
          h("span", { class: "expect" }),
        ),
      ),
      ...["count", "", "", "pm"].map((c) => h("td", { class: `n ${c}` })),
    );

  return {
    /** @param {Row[]} rows */
    update(rows) {
      const end = axisEnd(rows);
      keyed(
        body,
        rows,
        (row) => String(row.token?.id ?? -1),
        make,
        (el, row) => {
          setAttr(el, "class", row.outside ? "outside" : "");
          const name = $(".word", el);
          setText(name, nameOf(row));
          setAttr(name, "title", row.outside ? t("draws.outside") : null);
          const [fill, whisk, tick] = /** @type {HTMLElement[]} */ ([...$(".bar", el).children]);
          setStyle(fill, "--w", row.drawn / end);
          setStyle(tick, "--w", row.expected / end);
          setStyle(whisk, "--lo", row.low / end);
          setStyle(whisk, "--hi", row.high / end);
          const cells = [
            int(row.hits),
            pct(row.drawn),
            pct(row.expected),
            isolated(`±${fixed(100 * row.error, 1)}`),
          ];
          for (const [i, text] of cells.entries()) setText(el.children[i + 2], text);
        },
      );
    },
  };
}

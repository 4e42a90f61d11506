/** The likeliest tokens as a plain table, with ids, logits and what became of each. */

import { $, h, keyed, setAttr, setKids, setText } from "./dom.js";
import { fixed, pct, show } from "./format.js";
import { inSentence, shareAt } from "./rows.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./rows.js").Row} Row
 */

export const TABLE_ROWS = 30;

/** @param {HTMLElement} root the table's scrolling box */
export function createTable(root) {
  const body = $("tbody", root);

  const make = () =>
    h(
      "tr",
      {},
      h("td", { class: "n" }),
      h("th", { scope: "row", dir: "auto" }),
      ...Array.from({ length: 5 }, () => h("td", { class: "n" })),
      h("td"),
    );

  return {
    /** @param {View} view @param {Row[]} rows */
    update(view, rows) {
      const last = view.stages.length - 1;
      let sum = 0;
      const lines = view.bars.slice(0, TABLE_ROWS).map((i) => {
        const final = shareAt(view, last, i);
        sum += final;
        return { i, final, sum };
      });
      keyed(
        body,
        lines,
        (_, n) => String(n),
        make,
        (el, { i, final, sum: total }) => {
          const kept = view.removed[i] < 0;
          const by = kept ? undefined : rows.find((r) => r.stage === view.removed[i] && r.on);
          const cells = [
            String(view.rank[i]),
            show(view.tokens[i]).replace(/ /g, "·"),
            String(view.tokens[i].id),
            fixed(view.logits[i]),
            pct(shareAt(view, 0, i), 2),
            kept ? pct(final, 2) : "–",
            kept ? pct(Math.min(1, total), 2) : "–",
          ];
          for (const [n, text] of cells.entries()) setText(el.children[n], text);
          setAttr(el, "class", kept ? "" : "removed");
          const fate = el.children[cells.length];
          if (kept) setKids(fate, t("table.stays"));
          else
            setKids(
              fate,
              h(
                "span",
                { class: `tag ${by?.role ?? ""}` },
                inSentence(by?.label ?? t("stage.model")),
              ),
            );
        },
      );
    },
  };
}

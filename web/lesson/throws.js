/** Many draws of one step against what is expected. */

import { h, keyed, setAttr, setStyle, setText } from "../dom.js";
import { int, pct, word } from "../format.js";
import { t } from "../texts.js";

/**
 * @typedef {import("./blocks.js").Block} Block
 * @typedef {import("./blocks.js").Context} Context
 */

const AMOUNTS = [1, 10, 100, 1000];
/** Tokens with a row of their own. */
const ROWS = 10;
/** Standard errors to either side that hold 95 of 100 results. */
const WIDE = 1.96;

/** @param {Context} context @returns {Block} */
export function throwsBlock({ hands, overlays }) {
  const expected = overlays.has("expected_counts");
  const buttons = AMOUNTS.map((n) =>
    h(
      "button",
      { type: "button", class: "btn", onclick: () => hands.throw(n) },
      t("lesson.draw", { n }),
    ),
  );
  const clear = h(
    "button",
    { type: "button", class: "btn quiet", onclick: () => hands.throw(0) },
    t("lesson.drawClear"),
  );
  const count = h("p", { class: "drawcount num", role: "status" });
  const body = h("tbody");
  const table = h(
    "table",
    { class: "drawn" },
    h("caption", { class: "sr" }, t("lesson.draws")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, t("bars.token")),
        h("th", { scope: "col", class: "barcell" }, h("span", { class: "sr" }, t("lesson.share"))),
        h("th", { scope: "col", class: "n" }, t("lesson.drawn")),
        h("th", { scope: "col", class: "n" }, t("lesson.share")),
        expected ? h("th", { scope: "col", class: "n" }, t("lesson.expected")) : null,
      ),
    ),
    body,
  );
  const key = h("p", { class: "hint" }, expected ? t("lesson.drawKey") : "");
  const el = h(
    "div",
    { class: "figdraws" },
    h("div", { class: "acts" }, buttons, clear),
    count,
    table,
    key,
  );

  return {
    el,
    draw({ facts: { draws }, view }) {
      const n = draws?.count ?? 0;
      clear.hidden = n === 0;
      setText(count, n ? t("lesson.drawsMade", { n }) : t("lesson.drawsNone"));
      const last = view.stages.length - 1;
      const kept = view.strip.filter((i) => view.removed[i] < 0).slice(0, ROWS);
      keyed(
        body,
        kept,
        (i) => String(view.tokens[i].id),
        () =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }),
            h(
              "td",
              { class: "barcell" },
              h(
                "div",
                { class: "bar" },
                h("span", { class: "fill drawn" }),
                h("i", { class: "whisk" }),
                h("i", { class: "expect" }),
              ),
            ),
            h("td", { class: "n" }),
            h("td", { class: "n" }),
            expected ? h("td", { class: "n" }) : null,
          ),
        (row, i) => {
          const [name, cell, hits, part, want] = row.children;
          const p = view.probs[last * view.tokens.length + i];
          const at = draws ? draws.tokens.findIndex((x) => x.id === view.tokens[i].id) : -1;
          const got = draws && at >= 0 ? draws.hits[at] : 0;
          const error = n ? WIDE * Math.sqrt((p * (1 - p)) / n) : 0;
          const share = n ? got / n : 0;
          const bar = /** @type {HTMLElement} */ (cell.firstElementChild);
          const [fill, whisk, tick] = /** @type {HTMLElement[]} */ ([...bar.children]);
          setStyle(fill, "--w", share);
          setStyle(tick, "--w", p);
          setStyle(whisk, "--lo", Math.max(0, p - error));
          setStyle(whisk, "--hi", Math.min(1, p + error));
          tick.hidden = whisk.hidden = !expected || !n;
          const far = expected && n > 0 && Math.abs(share - p) > error;
          setAttr(row, "class", far ? "far" : "");
          setText(name, word(view.tokens[i]));
          setText(hits, n ? int(got) : "–");
          setText(part, n ? pct(share, 2) : "–");
          if (want)
            setText(
              want,
              n ? t("lesson.giveOrTake", { n: n * p, n_error: (error * n) / WIDE }) : pct(p, 2),
            );
        },
      );
    },
  };
}

/** The panes side by side in numbers; the best of a column is bold. */

import { h, keyed, setText } from "./dom.js";
import { fixed, int, pct } from "./format.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Metrics} Metrics
 *
 * @typedef {object} Line
 * @property {string} letter
 * @property {string} name
 * @property {string[]} tags its settings in a few words
 * @property {Metrics} values
 *
 * @typedef {object} Column
 * @property {keyof Metrics} name
 * @property {1 | -1 | 0} better more, less, or neither
 * @property {(v: number) => string} write
 */

/** @type {Column[]} */
const COLUMNS = [
  { name: "tokens", better: 0, write: int },
  { name: "mean_logprob", better: 1, write: (v) => fixed(v) },
  { name: "perplexity", better: -1, write: (v) => fixed(v, 1) },
  { name: "distinct_1", better: 1, write: (v) => fixed(v) },
  { name: "distinct_2", better: 1, write: (v) => fixed(v) },
  { name: "distinct_3", better: 1, write: (v) => fixed(v) },
  { name: "repeated_4", better: -1, write: (v) => pct(v, 0) },
  { name: "mean_entropy", better: 0, write: (v) => fixed(v) },
  { name: "mean_nucleus", better: 0, write: int },
];

/** @param {HTMLElement} table */
export function createMetrics(table) {
  const body = h("tbody");
  table.append(
    h("caption", { class: "sr" }, t("metrics.caption")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, t("metrics.decoder")),
        COLUMNS.map((c) => h("th", { scope: "col", class: "n" }, t(`metrics.${c.name}`))),
      ),
    ),
    body,
  );

  return {
    /** @param {Line[]} lines */
    update(lines) {
      keyed(
        body,
        lines,
        (_, i) => String(i),
        () =>
          h(
            "tr",
            {},
            h(
              "th",
              { scope: "row" },
              h(
                "span",
                { class: "who" },
                h("span", { class: "letter" }),
                h("span", {}, h("span"), h("small")),
              ),
            ),
            COLUMNS.map(() => h("td", { class: "n" })),
          ),
        (row, line) => {
          const [letter, about] = row.children[0].children[0].children;
          const [name, tags] = about.children;
          setText(letter, line.letter);
          setText(name, line.name);
          setText(tags, line.tags.join(" · "));
          COLUMNS.forEach((c, i) => {
            const cell = row.children[i + 1];
            const told = c.write(line.values[c.name]);
            const all = lines
              .filter((l) => l.values.tokens > 0)
              .map((l) => l.values[c.name] * c.better);
            const [best, worst] = [Math.max(...all), Math.min(...all)].map((v) =>
              c.write(v * c.better),
            );
            setText(cell, told);
            cell.classList.toggle("bestv", c.better !== 0 && best !== worst && told === best);
          });
        },
      );
    },
  };
}

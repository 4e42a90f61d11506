/** The picture of many throws: one strip expected, one strip drawn, the throws between them. */

import { h, keyed, setAttr, setKids, setStyle, setText } from "./dom.js";
import { pct, word } from "./format.js";
import { listed, t } from "./texts.js";

/** @typedef {import("./throws.js").Row} Row */

/** Throws shown one by one. */
const SHOWN = 400;
/** Lanes that they lie in, so that fewer hide each other. */
const LANES = 5;

/** @param {Row} row */
export const nameOf = (row) => (row.token ? word(row.token) : t("draws.others", { n: row.many }));

/** @param {HTMLElement} host */
export function createDrawPicture(host) {
  const expected = h("div", { class: "strip", role: "img" });
  const rain = h("div", { class: "rain", "aria-hidden": "true" });
  const drawn = h("div", { class: "strip drawnstrip", role: "img" });
  const thrown = h("p", { class: "rlabel" });
  host.append(
    h("p", { class: "rlabel" }, t("draws.expected")),
    expected,
    thrown,
    rain,
    h("p", { class: "rlabel" }, t("draws.drawn")),
    drawn,
  );

  /** @param {HTMLElement} strip @param {Row[]} rows @param {(row: Row) => number} share @param {string} label */
  function fill(strip, rows, share, label) {
    keyed(
      strip,
      rows,
      (row) => String(row.token?.id ?? -1),
      () => h("span", { class: "piece" }, h("b", { dir: "auto" })),
      (el, row, i) => {
        el.classList.toggle("odd", i % 2 === 1);
        el.hidden = share(row) === 0;
        setStyle(el, "--w", share(row));
        setText(/** @type {Element} */ (el.firstElementChild), row.token ? nameOf(row) : "…");
      },
    );
    const told = rows.slice(0, 5).map((row) => `${nameOf(row)} ${pct(share(row))}`);
    setAttr(strip, "aria-label", `${label}: ${listed(told)}.`);
  }

  return {
    /** @param {Row[]} rows @param {Float32Array} dice @param {number} count */
    update(rows, dice, count) {
      fill(expected, rows, (row) => row.expected, t("draws.expected"));
      fill(drawn, rows, (row) => row.drawn, t("draws.drawn"));
      const shown = dice.subarray(0, SHOWN);
      setKids(
        thrown,
        t("draws.throws", { n: count }),
        count > SHOWN ? h("span", { class: "quiet" }, ` ${t("draws.shown", { n: SHOWN })}`) : "",
      );
      keyed(
        rain,
        [...shown],
        (_, i) => String(i),
        (_, i) => {
          const throwMark = h("i");
          setStyle(throwMark, "--lane", (i * 7) % LANES);
          return throwMark;
        },
        (el, die) => setStyle(el, "--at", die),
      );
    },
  };
}

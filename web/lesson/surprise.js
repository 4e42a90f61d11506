/** How much each token would surprise, with the entropy as a line on the same axis; and the text by step. */

import { createChart } from "../charts.js";
import { h, keyed, setAttr, setStyle, setText } from "../dom.js";
import { fixed, pct, word } from "../format.js";
import { t } from "../texts.js";

/**
 * @typedef {import("../api.d.ts").View} View
 * @typedef {import("./blocks.js").Block} Block
 * @typedef {import("./blocks.js").Context} Context
 */

/** The axis ends at one of these, bits. */
const ENDS = [4, 8, 12, 16, 24, 32];

/** The distribution that the first filter gets. @param {View} view */
function entering({ stages }) {
  const cut = stages.findIndex((s) => s.cut > 0);
  return cut > 0 ? cut - 1 : stages.length - 1;
}

/** @param {Context} context @returns {Block} */
export function surpriseBlock({ engine, overlays }) {
  const body = h("tbody");
  const line = h("p", { class: "hint" });
  const most = h("span", {});
  const table = h(
    "table",
    { class: "surprises" },
    h("caption", { class: "sr" }, t("lesson.surprises")),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, t("bars.token")),
        h("th", { scope: "col", class: "barcell" }, h("span", { class: "axisrow" }, "0", most)),
        h("th", { scope: "col", class: "n" }, t("lesson.share")),
        h("th", { scope: "col", class: "n" }, t("lesson.bits")),
      ),
    ),
    body,
  );
  const plot = h("div", { class: "plot" });
  const byStep = h("figure", { class: "bystep" }, h("figcaption", {}, t("lesson.byStep")), plot);
  const chart = createChart(plot);
  const el = h("div", { class: "figsurprise" }, byStep, table, line);

  return {
    el,
    draw({ view, facts, live }) {
      const stage = entering(view);
      const share = (/** @type {number} */ i) => view.probs[stage * view.tokens.length + i];
      const shown = view.bars.filter((i) => share(i) > 0);
      const bits = shown.map((i) => -Math.log2(share(i)));
      const end = ENDS.find((x) => x >= Math.max(...bits)) ?? Math.ceil(Math.max(...bits));
      const { entropy } = view.stages[stage];
      const lined = overlays.has("entropy_line");
      setText(most, `${end} ${t("unit.bits")}`);
      table.classList.toggle("marked", lined);
      setStyle(table, "--mark", Math.min(1, entropy / end));
      setText(line, lined ? t("lesson.entropyLine", { bits: fixed(entropy) }) : "");
      keyed(
        body,
        shown,
        (i) => String(view.tokens[i].id),
        () =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }),
            h("td", { class: "barcell" }, h("div", { class: "bar" }, h("span", { class: "fill" }))),
            h("td", { class: "n" }),
            h("td", { class: "n" }),
          ),
        (row, i, n) => {
          const [name, bar, part, told] = row.children;
          const removed = view.removed[i] >= 0;
          setAttr(row, "class", removed ? "removed" : "");
          setText(name, word(view.tokens[i]));
          setStyle(
            /** @type {HTMLElement} */ (bar.querySelector(".fill")),
            "--w",
            Math.min(1, bits[n] / end),
          );
          setText(part, pct(share(i), 2));
          setText(told, fixed(bits[n]));
        },
      );
      const steps = facts.status.text.length;
      byStep.hidden = steps < 2;
      if (steps >= 2 && !live) drawChart(facts.status.session);
    },
    close: () => chart.close(),
  };

  /** @param {number} session */
  async function drawChart(session) {
    try {
      const params = { name: "surprise", sessions: [session], step: -1, draws: 0 };
      const { option } = await engine.call("chart", params);
      await chart.set(option);
    } catch (error) {
      console.error(error);
    }
  }
}

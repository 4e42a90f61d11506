/** The likeliest tokens as bars: a real table with pictures in it. */

import { $, h, icon, setAttr, setStyle, setText } from "./dom.js";
import { pct, spoken, word } from "./format.js";
import { inSentence, shareAt } from "./rows.js";
import { rich, t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./rows.js").Row} Row
 */

export const BARS = 12;
/** The axis takes steps and never glides. */
const AXIS = [0.1, 0.2, 0.4, 0.6, 0.8, 1];

/**
 * @param {HTMLElement} root the panel
 * @param {{onTake: (id: number) => void, onHover: (id: number | null) => void}} deps
 */
export function createBars(root, { onTake, onHover }) {
  const body = $(".bars tbody", root);
  const lines = Array.from({ length: BARS }, (_, i) => {
    const line = {
      id: -1,
      told: "", // what the tag says
      take: h("button", {
        type: "button",
        class: "take",
        dir: "auto",
        onclick: () => onTake(line.id),
      }),
      ghost: h("span", { class: "ghost" }),
      fill: h("span", { class: "fill" }),
      tag: h("span", { class: "tag" }),
      model: h("td", { class: "n m" }),
      here: h("td", { class: "n f" }),
      row: h("tr"),
    };
    line.row.append(
      h("td", { class: "n rank" }, String(i + 1)),
      h("th", { scope: "row" }, line.take),
      h("td", { class: "barcell" }, h("div", { class: "bar" }, line.ghost, line.fill, line.tag)),
      line.model,
      line.here,
    );
    const lit = () => onHover(line.id);
    const dark = () => onHover(null);
    line.row.addEventListener("mouseenter", lit);
    line.row.addEventListener("mouseleave", dark);
    line.row.addEventListener("focusin", lit);
    line.row.addEventListener("focusout", dark);
    body.append(line.row);
    return line;
  });

  /** Fills a line's tag where it is to say something else: while a slider moves,
   * most say what they said.
   * @param {typeof lines[number]} line @param {string} what
   * @param {() => (string | Node)[]} make */
  function tell(line, what, make) {
    if (line.told === what) return;
    line.told = what;
    line.tag.replaceChildren(...make());
  }

  return {
    /**
     * @param {View} view
     * @param {Row[]} rows
     * @param {number} selected the row that is shown
     * @param {number} chosen index in View.tokens of the token the step takes, or -1
     */
    update(view, rows, selected, chosen) {
      const row = rows[selected];
      const final = selected === rows.length - 1;
      const shown = view.bars.slice(0, BARS);
      const model = shown.map((i) => shareAt(view, 0, i));
      const here = shown.map((i) => shareAt(view, row.stage, i));
      const most = Math.max(...model, ...here);
      const max = AXIS.find((x) => x >= most) ?? 1;
      setText($(".axis-max", root), pct(max, 0));
      setText($(".key-f", root), t(final ? "bars.key.final" : "bars.key.here"));
      setText(
        $(".col-f", root),
        t(final ? "bars.final" : selected === 0 ? "bars.model" : "bars.here"),
      );

      const gone = shown.map((i) => view.removed[i] >= 0 && view.removed[i] <= row.stage);
      const edge = gone.indexOf(true) - 1;
      const prefix = edge >= 0 && gone.every((g, i) => g === i > edge);
      lines.forEach((line, n) => {
        const i = shown[n];
        line.row.hidden = i === undefined;
        if (i === undefined) return;
        const token = view.tokens[i];
        const by = gone[n] ? rows.find((r) => r.stage === view.removed[i] && r.on) : undefined;
        const picked = i === chosen && final;
        const line_ =
          prefix && n === edge
            ? rows.find((r) => r.stage === view.removed[shown[n + 1]] && r.on)
            : undefined;
        line.id = token.id;
        setText(line.take, word(token));
        line.take.classList.toggle("bytes", token.text === "" && token.hex !== "");
        setAttr(line.take, "aria-label", t("bars.take", { token: spoken(token) }));
        // Not by --w: a width of its own costs a browser less than a variable.
        setStyle(line.ghost, "inline-size", `${(100 * model[n]) / max}%`);
        setStyle(line.fill, "inline-size", `${(100 * here[n]) / max}%`);
        setAttr(
          line.row,
          "class",
          `${gone[n] ? "removed" : ""}${picked ? " chosen" : ""}${line_ ? ` edge ${line_.role}` : ""}`,
        );
        setAttr(line.tag, "class", `tag${by ? ` ${by.role}` : picked ? " die" : ""}`);
        tell(line, by ? `cut ${by.label}` : picked ? `picked ${view.draw.thrown}` : "", () => {
          if (by)
            return [
              icon("cut"),
              h("span", {}, ...rich("bars.cut", { stage: h("b", {}, inSentence(by.label)) })),
            ];
          if (!picked) return [];
          const { thrown } = view.draw;
          return [
            icon(thrown ? "die" : "check"),
            h("span", {}, t(thrown ? "bars.picked" : "bars.taken")),
          ];
        });
        if (line.told) setStyle(line.tag, "--at", Math.max(model[n], here[n]) / max);
        setText(line.model, pct(model[n]));
        setText(line.here, gone[n] ? "–" : pct(here[n]));
      });
      const hidden = final && chosen >= 0 && !shown.includes(chosen);
      const rest = below(view, row, shown, here, gone);
      const picked =
        hidden &&
        t("bars.pickedBelow", { token: spoken(view.tokens[chosen]), n_rank: view.rank[chosen] });
      setText($(".below", root), picked ? `${picked} ${rest}` : rest);
    },
  };
}

/**
 * One line for all tokens that have no bar.
 *
 * @param {View} view @param {Row} row @param {number[]} shown @param {number[]} here @param {boolean[]} gone
 */
function below(view, row, shown, here, gone) {
  const kept = gone.filter((g) => !g).length;
  const more = row.count - kept;
  const rest = Math.max(0, 1 - here.reduce((a, b) => a + b, 0));
  if (more > 0) return t("bars.more", { n: more, mass: rest });
  const cut = view.stages[0].count - Math.max(shown.length, kept);
  return cut > 0 ? t("bars.moreCut", { n: cut }) : "";
}

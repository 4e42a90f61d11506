/** The two strips of the widget: the model's own, and what the stages leave of it. */

import { $, h, keyed, setAttr, setStyle, setText } from "../dom.js";
import { int, pct, spoken, word } from "../format.js";
import { piecesOf } from "../rows.js";
import { t } from "../texts.js";

/**
 * @typedef {import("../api.d.ts").View} View
 *
 * @typedef {object} Part
 * @property {string} key
 * @property {string} label
 * @property {number} share
 * @property {"" | "odd" | "removed" | "chosen"} look
 */

/** Tokens that have a piece of their own. */
const NAMED = 9;

/**
 * What the strips are divided into.
 *
 * @param {View} view
 * @returns {{model: Part[], final: Part[], kept: number}} kept: the model's share of what is left
 */
export function partsOf(view) {
  const pieces = piecesOf(view);
  const last = view.stages.length - 1;
  const left = pieces.filter((p) => p.removed < 0);
  const cut = pieces.filter((p) => p.removed >= 0);
  const sum = (/** @type {typeof pieces} */ list, /** @type {number} */ stage) =>
    list.reduce((total, p) => total + p.share(stage), 0);
  const named = left.filter((p) => p.token >= 0).slice(0, NAMED);
  const others = left.filter((p) => !named.includes(p));
  const many = view.numbers.kept_count - named.length;

  /** @param {number} stage @returns {Part[]} */
  const row = (stage) => [
    ...named.map((p, i) => ({
      key: p.key,
      label: word(view.tokens[p.token]),
      share: p.share(stage),
      look: /** @type {Part["look"]} */ (
        p.token === view.draw.token ? "chosen" : i % 2 ? "odd" : ""
      ),
    })),
    ...(others.length
      ? [
          {
            key: "others",
            label: `+${int(many)}`,
            share: sum(others, stage),
            look: lookOf(others, view),
          },
        ]
      : []),
  ];
  const gone = view.stages[0].count - view.numbers.kept_count;
  const fallen = { key: "cut", label: t("widget.cut", { n: gone }), share: sum(cut, 0) };
  return {
    model: [
      ...row(0),
      ...(gone > 0 ? [{ ...fallen, look: /** @type {const} */ ("removed") }] : []),
    ],
    final: row(last),
    kept: sum(left, 0),
  };
}

/** @param {ReturnType<typeof piecesOf>} others @param {View} view @returns {Part["look"]} */
const lookOf = (others, view) =>
  view.draw.token >= 0 && others.some((p) => p.token === view.draw.token) ? "chosen" : "odd";

/** @param {HTMLElement} root */
export function createStrips(root) {
  const pin = h("i", { class: "pin" });
  const boxes = [$(".s-model", root), $(".s-final", root)].map((strip) => {
    const pieces = h("div", { class: "strip" });
    strip.append(pieces);
    return { strip, pieces };
  });
  boxes[1].strip.append(pin);

  return {
    /** @param {View} view */
    update(view) {
      const { model, final, kept } = partsOf(view);
      for (const [i, parts] of [model, final].entries())
        keyed(
          boxes[i].pieces,
          parts,
          (p) => p.key,
          () => h("span", { class: "piece" }, h("b", { dir: "auto" })),
          (el, p) => {
            setAttr(el, "class", `piece ${p.look}`.trim());
            setStyle(el, "--w", p.share);
            setText(/** @type {Element} */ (el.firstElementChild), p.label);
          },
        );
      const { thrown, die, token, top } = view.draw;
      pin.hidden = !thrown;
      setStyle(pin, "--at", die);
      setAttr($(".funnel path", root), "d", `M0 0H${(100 * kept).toFixed(2)}L100 10H0Z`);
      const first = view.tokens[top];
      const share = model.find((p) => p.key === `t${first?.id}`)?.share ?? 0;
      setAttr(
        boxes[0].strip,
        "aria-label",
        t("widget.model", { token: first ? spoken(first) : "", share }),
      );
      const left = t("widget.left", { n: view.numbers.kept_count });
      const picks =
        thrown && token >= 0
          ? ` ${t("cascade.die", { share: die, token: spoken(view.tokens[token]) })}`
          : "";
      setAttr(boxes[1].strip, "aria-label", left + picks);
      boxes[1].strip.title = thrown ? pct(die) : "";
    },
  };
}

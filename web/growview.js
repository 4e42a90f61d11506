/** Whole texts merged into a tree: a tier a token, each piece as wide as the texts that go through it. */

import { h, keyed, setAttr, setKids, setStyle, setText } from "./dom.js";
import { int, show, special, word } from "./format.js";
import { mergeTexts } from "./merge.js";
import { listed, t } from "./texts.js";

/**
 * @typedef {import("./merge.js").Branch} Branch
 * @typedef {import("./merge.js").Piece} Piece
 */

/** Different texts in the list. */
const LISTED = 12;

/** @param {Piece} p */
const nameOf = (p) => (special(p) ? `⟨${t("beams.end")}⟩` : word(p));

/** @param {Piece[]} pieces */
const textOf = (pieces) =>
  pieces.map((p) => (special(p) ? ` ${nameOf(p)}` : p.text || show(p))).join("");

/** @param {HTMLElement} host */
export function createGrowView(host) {
  const tiers = h("div", { class: "tiers", role: "img" });
  const list = h("ol", { class: "grownlist" });
  const rest = h("p", { class: "hint" });
  host.append(tiers, list, rest);
  let picked = ""; // key of the text whose path is marked
  /** @type {Piece[][]} */
  let shown = [];

  /** @param {string} key */
  function pick(key) {
    picked = picked === key ? "" : key;
    draw();
  }

  /** Whether a branch is on the way of the picked text. @param {Branch} branch */
  const onPath = ({ key }) => picked === key || picked.startsWith(`${key}.`);

  function draw() {
    const { tiers: rows, texts } = mergeTexts(shown);
    keyed(
      tiers,
      rows,
      (_, depth) => String(depth),
      () => h("div", { class: "tier" }),
      (el, row) =>
        keyed(
          el,
          row,
          (b) => b.key,
          () => h("span", { class: "piece" }, h("b", { dir: "auto" }), h("i", { class: "num" })),
          drawPiece,
        ),
    );
    const first = rows[0] ?? [];
    const words = first.slice(0, 5).map((b) => `${nameOf(b.piece)} ${int(b.count)}`);
    setAttr(tiers, "aria-label", t("grow.picture", { n: shown.length, words: listed(words) }));
    keyed(
      list,
      texts.slice(0, LISTED),
      (x) => x.key,
      (x) =>
        h(
          "li",
          {},
          h(
            "button",
            { type: "button", class: "grown", onclick: () => pick(x.key) },
            h("span", { class: "num times" }),
            h("span", { class: "w", dir: "auto" }),
          ),
        ),
      (el, x) => {
        const button = /** @type {HTMLElement} */ (el.firstElementChild);
        setAttr(button, "aria-pressed", String(x.key === picked));
        setText(button.children[0], t("grow.times", { n: x.count }));
        setText(button.children[1], textOf(x.pieces));
      },
    );
    const others = texts.length - LISTED;
    setKids(rest, others > 0 ? t("grow.more", { n: others }) : "");
  }

  /** @param {HTMLElement} el @param {Branch} b @param {number} i */
  function drawPiece(el, b, i) {
    const classes = ["piece", i % 2 ? "odd" : "even", onPath(b) ? "chosen" : ""];
    setAttr(el, "class", classes.join(" ").trim());
    setStyle(el, "--at", b.at);
    setStyle(el, "--w", b.share);
    setText(el.children[0], nameOf(b.piece));
    setText(el.children[1], int(b.count));
    setAttr(el, "title", `${nameOf(b.piece)}: ${t("grow.through", { n: b.count })}`);
  }

  return {
    /** @param {Piece[][]} texts */
    update(texts) {
      shown = texts;
      const keys = new Set(texts.map((x) => x.map((p) => p.id).join(".")));
      if (!keys.has(picked)) picked = "";
      draw();
    },
  };
}

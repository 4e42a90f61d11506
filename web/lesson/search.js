/** A beam search: its tree, its texts by score, and the path that greedy takes through it. */

import { h, keyed, onResize, setText } from "../dom.js";
import { fixed, pct, sum, word } from "../format.js";
import { reasonInWords } from "../reasons.js";
import { t } from "../texts.js";
import { asOfStep, pathTo } from "../tree.js";
import { createTreeView } from "../treeview.js";

/**
 * @typedef {import("../api.d.ts").Node} Node
 * @typedef {import("../api.d.ts").Step} Step
 * @typedef {import("./blocks.js").Block} Block
 * @typedef {import("./blocks.js").Context} Context
 * @typedef {import("./blocks.js").Shown} Shown
 *
 * @typedef {object} Text one line of the list
 * @property {string} key
 * @property {string} words
 * @property {string} score
 * @property {number} prob of the whole text
 * @property {string} note
 */

/** Texts that are listed at most. */
const TEXTS = 6;

/** A search of one beam is greedy and keeps no scores: the sums are made here.
 * @param {Node[]} nodes @returns {Node[]} */
function scored(nodes) {
  if (nodes.some((n) => n.score !== 0)) return nodes;
  const sums = nodes.map((_, i) => sumOf(nodes, i));
  return nodes.map((n, i) => ({ ...n, score: sums[i] }));
}

/** The sum of the model's log-probabilities. @param {Node[]} nodes @param {number} index */
const sumOf = (nodes, index) =>
  pathTo(nodes, index).reduce((all, i) => all + Math.log(nodes[i].prob), 0);

const joined = (/** @type {{text: string, hex: string}[]} */ tokens) => tokens.map(word).join(" ");

/** @param {Context} context @returns {Block} */
export function searchBlock({ overlays }) {
  const withGreedy = overlays.has("greedy_path");
  const box = h("section", {
    class: "treebox scrollx",
    tabIndex: 0,
    "aria-label": t("beams.scroll"),
  });
  const detail = h("p", { class: "hint treedetail", role: "status" });
  const legend = h(
    "p",
    { class: "legend" },
    ...["best", "cut", "done"].map((k) =>
      h(
        "span",
        {},
        h("i", { class: `k ${k}` }),
        t(`beams.${{ best: "best", cut: "pruned", done: "finished" }[k]}`),
      ),
    ),
    withGreedy ? h("span", {}, h("i", { class: "k greedy" }), t("lesson.greedyPath")) : null,
  );
  const list = h("ol", { class: "textlist" });
  const el = h("div", { class: "figtree" }, box, legend, detail, list);
  let picked = -1;
  /** @type {Shown | null} */
  let last = null;
  /** What greedy writes here, and for which session. */
  let greedy = { key: "", steps: /** @type {Step[]} */ ([]) };

  const tree = createTreeView(box, {
    onPick(index) {
      picked = index;
      redraw();
    },
  });
  onResize(box, redraw);

  function redraw() {
    if (last?.facts.tree) drawTree(last);
  }

  /** @param {Shown} shown */
  async function findGreedy({ bench, facts }) {
    const key = `${facts.status.session} ${facts.values.max_new_tokens}`;
    if (key === greedy.key) return;
    greedy = { key, steps: [] };
    try {
      const steps = await bench.greedy();
      if (greedy.key !== key) return;
      greedy = { key, steps };
      redraw();
    } catch (error) {
      if (bench.ready) console.error(error); // else the step was left meanwhile
    }
  }

  /** The nodes on the greedy path, as far as the tree has them. @param {Node[]} nodes */
  function greedyNodes(nodes) {
    /** @type {number[]} */
    const path = [];
    let at = 0;
    for (const { id } of greedy.steps) {
      at = nodes.findIndex((n, i) => i > 0 && n.parent === at && n.id === id);
      if (at < 0) break;
      path.push(at);
    }
    return path;
  }

  /** @param {Shown} shown */
  function drawTree({ facts }) {
    if (!facts.tree) return;
    const { best } = facts.tree;
    const over = facts.status.stop !== ""; // what has not ended by then is no text
    const nodes = scored(asOfStep(facts.tree.nodes));
    const upto = Math.max(1, ...nodes.map((n) => n.step));
    if (picked >= nodes.length) picked = -1;
    const marked = withGreedy ? greedyNodes(nodes) : [];
    tree.draw({ nodes, best, picked, upto, marked });
    drawDetail(nodes, picked > 0 ? picked : best);
    drawList(nodes, best, facts.values.length_penalty, over ? 0 : upto);
  }

  /** One text, its sum term by term. @param {Node[]} nodes @param {number} index */
  function drawDetail(nodes, index) {
    const n = nodes[index];
    if (index === 0) return setText(detail, t("lesson.treeEmpty"));
    const path = pathTo(nodes, index).map((i) => nodes[i]);
    const terms = path.map((p) => Math.log(p.prob));
    const why = n.reason ? reasonInWords(n.reason) : t(`beams.why.${n.state}`, { n: n.place });
    setText(detail, `${joined(path)}: ${sum(terms, n.score)}. ${why}`);
  }

  /** @param {Node[]} nodes @param {number} best @param {number} penalty
   * @param {number} live the step whose texts go on; 0: none does */
  function drawList(nodes, best, penalty, live) {
    const score = (/** @type {Node} */ n) =>
      n.state === "done" ? n.final : n.score / n.step ** penalty;
    const ends = nodes
      .map((n, i) => ({ n, i }))
      .filter(
        ({ n, i }) => i > 0 && (n.state === "done" || (n.state === "live" && n.step === live)),
      )
      .sort((a, b) => Number(b.i === best) - Number(a.i === best) || score(b.n) - score(a.n))
      .slice(0, TEXTS);
    /** @type {Text[]} */
    const texts = ends.map(({ n, i }) => ({
      key: String(i),
      words: joined(pathTo(nodes, i).map((k) => nodes[k])),
      score: fixed(score(n), 3),
      prob: Math.exp(sumOf(nodes, i)),
      note: t(n.state === "done" ? "beams.finished" : "beams.live"),
    }));
    if (withGreedy && greedy.steps.length)
      texts.push({
        key: "greedy",
        words: joined(greedy.steps),
        score: "",
        prob: greedy.steps.reduce((p, s) => p * s.modelProb, 1),
        note: t("preset.greedy"),
      });
    keyed(
      list,
      texts,
      (x) => x.key,
      () =>
        h(
          "li",
          {},
          h("span", { class: "w" }),
          h("span", { class: "num" }),
          h("span", { class: "num" }),
          h("span", { class: "pill" }),
        ),
      (el_, x, i) => {
        el_.classList.toggle("best", i === 0);
        el_.classList.toggle("greedy", x.key === "greedy");
        const [words, points, prob, note] = el_.children;
        setText(words, x.words);
        setText(points, x.score && t("lesson.score", { score: x.score }));
        setText(prob, pct(x.prob, 2));
        setText(note, x.note);
      },
    );
  }

  return {
    el,
    ofTree: true,
    draw(shown) {
      last = shown;
      if (withGreedy) findGreedy(shown);
      drawTree(shown);
    },
  };
}

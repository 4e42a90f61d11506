/**
 * Beams: the tree of a beam search. A branch is as thick as its token is
 * probable; one that was pruned ends at a blade.
 */

import { $, h, keyed, onResize, rtl, setAttr, setKids, setText, svg } from "./dom.js";
import { fixed, pct, show, special, word } from "./format.js";
import { createLatest } from "./latest.js";
import { strategy, toWire } from "./settings.js";
import { t } from "./texts.js";
import { asOfStep, createTreeLayout } from "./tree.js";

/**
 * @typedef {import("./branches.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./api.d.ts").Node} Node
 * @typedef {import("./tree.js").Placed} Placed
 *
 * @typedef {object} Deps
 * @property {Engine} engine
 * @property {ReturnType<typeof import("./state.js").createStore>} store
 * @property {Described} described
 * @property {(error: unknown) => void} onError
 */

const STRATEGY = "beam";
const MAX_BEAMS = 6;
const MAX_STEPS = 12;
const BOX = 100;
/** Characters that fit into a node. */
const LABEL = 10;

/** @param {HTMLElement} root @param {Deps} deps */
export function createBeams(root, { engine, store, described, onError }) {
  /** @type {ModelInfo | null} */
  let model = null;
  let session = -1;
  let taken = 0; // steps the session has taken
  let ended = "";
  let opened = ""; // what the session was opened for
  /** @type {Node[]} */
  let nodes = [];
  let best = 0;
  let picked = -1;

  const host = $(".treebox", root);
  const picture = svg("svg", { class: "tree", role: "group", "aria-label": t("beams.tree") });
  const layers = { ticks: svg("g"), bands: svg("g"), nodes: svg("g") };
  picture.append(...Object.values(layers));
  host.append(picture);
  onResize(host, () => nodes.length && draw());

  const beamsRange = /** @type {HTMLInputElement} */ ($("#beam-n", root));
  const stepRange = /** @type {HTMLInputElement} */ ($("#beam-step", root));
  const penalty = /** @type {HTMLInputElement} */ ($("#beam-lp", root));
  Object.assign(beamsRange, { min: 1, max: MAX_BEAMS });
  Object.assign(stepRange, { min: 1, max: MAX_STEPS });
  Object.assign(penalty, { min: 0, max: 2, step: 0.1 });
  const change = (/** @type {Partial<import("./state.js").State["beams"]>} */ patch) => {
    store.set({ beams: { ...store.get().beams, ...patch } });
    heads();
    ask({});
  };
  beamsRange.addEventListener("input", () => change({ num_beams: Number(beamsRange.value) }));
  stepRange.addEventListener("input", () => change({ steps: Number(stepRange.value) }));
  penalty.addEventListener("input", () => change({ length_penalty: Number(penalty.value) }));

  function heads() {
    const { num_beams, steps, length_penalty } = store.get().beams;
    for (const [range, v] of /** @type {[HTMLInputElement, number][]} */ ([
      [beamsRange, num_beams],
      [stepRange, steps],
      [penalty, length_penalty],
    ])) {
      if (Number(range.value) !== v) range.value = String(v);
      range.style.setProperty(
        "--fill",
        String((v - Number(range.min)) / (Number(range.max) - Number(range.min))),
      );
    }
    setText($(".beam-n-out", root), String(num_beams));
    setText($(".beam-step-out", root), String(steps));
    setText($(".beam-lp-out", root), fixed(length_penalty, 1));
  }

  const ask = createLatest(async (/** @type {{}} */ _) => {
    if (!model) return;
    try {
      await grow();
      const tree = await engine.call("tree", { session });
      nodes = asOfStep(tree.nodes);
      best = tree.best;
      if (picked >= nodes.length) picked = -1;
      draw();
    } catch (error) {
      onError(error);
    }
  });

  /** Opens the session anew where what it stands on changed, and steps as far as asked. */
  async function grow() {
    const { prompt, bos, settings, beams } = store.get();
    if (!model || !settings) return;
    const kind = strategy(described, STRATEGY);
    const args = /** @type {Record<string, number>} */ ({
      num_beams: beams.num_beams,
      length_penalty: beams.length_penalty,
    });
    const mine = Object.fromEntries(
      Object.entries(args).filter(([name]) => kind?.params.some((p) => p.name === name)),
    );
    const wanted = {
      ...settings,
      strategy: STRATEGY,
      strategyArgs: { [STRATEGY]: mine },
      max_new_tokens: MAX_STEPS,
    };
    const key = JSON.stringify([model.model, prompt, bos, wanted]);
    if (key !== opened) {
      const { tokens } = await engine.call("tokenize", { model: model.model, text: prompt, bos });
      const ids = (/** @type {string} */ text) =>
        engine
          .call("tokenize", { model: /** @type {ModelInfo} */ (model).model, text, bos: false })
          .then((r) => r.tokens.map((x) => x.id));
      const status = await engine.call("open", {
        model: model.model,
        ids: tokens.map((x) => x.id),
        settings: await toWire(described, wanted, model.eos_token_id, ids),
      });
      if (session >= 0) engine.call("close", { session }).catch(() => {});
      session = status.session;
      opened = key;
      taken = 0;
      ended = "";
      picked = -1;
      for (let done = false; !done; ) {
        const fed = await engine.call("feed", { session, count: 32 });
        done = fed.done >= fed.total;
      }
    }
    while (taken < beams.steps && !ended) {
      const { sessions } = await engine.call("step", { sessions: [session] });
      taken = sessions[0].steps;
      ended = sessions[0].stop;
    }
  }

  // The picture -----------------------------------------------------------------------------------

  const clip = (/** @type {string} */ s) => (s.length > LABEL ? `${s.slice(0, LABEL - 1)}…` : s);
  const label = (/** @type {Node} */ n) => clip(word(n));
  /** The second number of a node: its end, its place, or its share. @param {Node} n */
  const fate = (n) =>
    n.state === "done" ? t("beams.end") : n.state === "pruned" ? `#${n.place}` : pct(n.prob, 0);
  const path = (/** @type {number} */ i) => {
    const out = [];
    for (let at = i; at > 0; at = nodes[at].parent) out.unshift(at);
    return out;
  };

  function draw() {
    const upto = Math.min(store.get().beams.steps, Math.max(...nodes.map((n) => n.step), 1));
    const layout = createTreeLayout(nodes, { upto, width: host.clientWidth || 900, mirror: rtl() });
    for (const [name, v] of Object.entries({
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      width: layout.width,
      height: layout.height,
    }))
      setAttr(picture, name, v);
    const bestPath = new Set(path(best));
    const mine = new Set(picked > 0 ? path(picked) : []);
    const classes = (/** @type {number} */ i) =>
      `${nodes[i].state}${bestPath.has(i) ? " best" : ""}${mine.has(i) ? " path" : ""}`;

    keyed(
      layers.ticks,
      layout.ticks,
      (_, i) => String(i),
      () => svg("text", { class: "tick", y: 18, "text-anchor": "middle" }),
      (el, x, i) => {
        setAttr(el, "x", x);
        setText(el, t("beams.tick", { n: i + 1 }));
      },
    );
    keyed(
      layers.bands,
      layout.nodes.filter((p) => p.index > 0),
      (p) => `${p.index}`,
      () => svg("path"),
      (el, p) => {
        setAttr(el, "class", `branch ${classes(p.index)}`);
        setAttr(el, "d", p.band);
        el.style.strokeWidth = String(Math.max(2.5, Math.min(26, nodes[p.index].prob * 60)));
      },
    );
    const tabStop = picked > 0 ? picked : (layout.nodes.find((p) => p.index > 0)?.index ?? 0);
    keyed(
      layers.nodes,
      layout.nodes,
      (p) => `${p.index}`,
      makeNode,
      (el, p) => updateNode(el, p, classes(p.index), p.index === tabStop),
    );
    drawList();
    drawDetail(picked > 0 ? picked : best);
  }

  /** @param {Placed} p */
  function makeNode(p) {
    const parts = [
      svg("rect", { width: BOX, height: 34 }),
      svg("path", { class: "bladeend" }),
      svg("text", { class: "word" }),
      svg("text", { class: "score" }),
      svg("text", { class: "why", "text-anchor": "end" }),
    ];
    const el = svg("g", {}, ...parts);
    if (p.index === 0) return el;
    el.addEventListener("click", () => pick(p.index, false));
    el.addEventListener("keydown", onKey);
    return el;
  }

  /** @param {SVGElement} el @param {Placed} p @param {string} cls @param {boolean} tabStop */
  function updateNode(el, { index, x, y }, cls, tabStop) {
    const n = nodes[index];
    const [rect, blade, name, score, why] = el.children;
    setAttr(el, "data-index", index);
    if (index === 0) {
      setAttr(el, "class", "node root");
      for (const [k, v] of Object.entries({ x: x + 18, y: y - 16, width: 82, height: 32, rx: 6 }))
        setAttr(rect, k, v);
      for (const [k, v] of Object.entries({ x: x + 59, y: y + 5, "text-anchor": "middle" }))
        setAttr(name, k, v);
      setText(name, t("beams.prompt"));
      return;
    }
    setAttr(el, "class", `node ${cls}`);
    for (const [k, v] of Object.entries({ x, y: y - 17, rx: n.state === "done" ? 17 : 6 }))
      setAttr(rect, k, v);
    setAttr(blade, "d", n.state === "pruned" ? `M${rtl() ? x - 4 : x + BOX + 4} ${y - 17}v34` : "");
    const inner = n.state === "done" ? 14 : 10;
    for (const [part, px, dy, text] of /** @type {[Element, number, number, string][]} */ ([
      [name, x + inner, -1, label(n)],
      [score, x + inner, 12, fixed(n.score)],
      [why, x + BOX - inner, 12, fate(n)],
    ])) {
      setAttr(part, "x", px);
      setAttr(part, "y", y + dy);
      setText(part, text);
    }
    setAttr(el, "role", "button");
    setAttr(el, "tabindex", tabStop ? 0 : -1);
    setAttr(el, "aria-pressed", String(index === picked));
    setAttr(
      el,
      "aria-label",
      `${label(n)} ${fixed(n.score)} ${fate(n)}, ${t(`beams.node.${n.state}`, { n: n.place, step: n.step })}`,
    );
  }

  /** @param {number} index @param {boolean} focus */
  function pick(index, focus) {
    picked = index;
    draw();
    if (focus)
      /** @type {SVGElement | null} */ (
        layers.nodes.querySelector(`[data-index="${index}"]`)
      )?.focus();
  }

  /** Arrows: up and down in the step, back to the parent, on to the first child.
   * @param {KeyboardEvent} e */
  function onKey(e) {
    const index = Number(/** @type {Element} */ (e.currentTarget).getAttribute("data-index"));
    const n = nodes[index];
    const column = nodes.map((_, i) => i).filter((i) => nodes[i].step === n.step);
    const order = [...layers.nodes.children]
      .map((c) => Number(c.getAttribute("data-index")))
      .filter((i) => column.includes(i));
    const at = order.indexOf(index);
    const [forth, back] = rtl() ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"];
    const shown = new Set(
      [...layers.nodes.children].map((c) => Number(c.getAttribute("data-index"))),
    );
    const to = /** @type {Record<string, number | undefined>} */ ({
      ArrowDown: order[at + 1],
      ArrowUp: order[at - 1],
      [back]: n.parent > 0 ? n.parent : undefined,
      [forth]: nodes.findIndex((c, i) => c.parent === index && i > 0 && shown.has(i)),
      Enter: index,
      " ": index,
    });
    if (!(e.key in to)) return;
    e.preventDefault();
    const target = to[e.key];
    if (target !== undefined && target > 0) pick(target, true);
  }

  // Words -----------------------------------------------------------------------------------------

  const texts = (/** @type {number} */ i) =>
    path(i)
      .map((k) => (special(nodes[k]) ? "" : nodes[k].text || show(nodes[k])))
      .join("");

  function drawList() {
    const upto = Math.max(...nodes.map((n) => n.step));
    const open = nodes
      .map((n, i) => ({ n, i }))
      .filter(
        ({ n, i }) => i > 0 && (n.state === "done" || (n.state === "live" && n.step === upto)),
      );
    const { length_penalty } = store.get().beams;
    const score = (/** @type {Node} */ n) =>
      n.state === "done" ? n.final : n.score / n.step ** length_penalty;
    open.sort((a, b) => score(b.n) - score(a.n));
    keyed(
      $(".beamlist", root),
      open.slice(0, MAX_BEAMS),
      (x) => `${x.i}`,
      () =>
        h(
          "li",
          {},
          h("span", { class: "n" }),
          h("span", { class: "w", dir: "auto" }, h("span", { class: "given" }), h("span")),
          h("span", { class: "pill" }),
        ),
      (el, { n, i }, place) => {
        el.classList.toggle("best", place === 0);
        setText($(".n", el), fixed(score(n), 3));
        setText($(".given", el), store.get().prompt);
        setText($(".given + span", el), texts(i));
        setText($(".pill", el), t(n.state === "done" ? "beams.finished" : "beams.live"));
      },
    );
  }

  /** One hypothesis, its sum term by term. @param {number} index */
  function drawDetail(index) {
    const n = nodes[index];
    if (!n || index === 0) return;
    const terms = path(index).map((i) => fixed(Math.log(nodes[i].prob)));
    setKids(
      $(".beamdetail", root),
      h("b", { dir: "auto" }, `${store.get().prompt}${texts(index)}`),
      h("span", { class: "num" }, `${terms.join("  ")} = ${fixed(n.score)}`),
      h("span", {}, n.reason || t(`beams.why.${n.state}`, { n: n.place })),
    );
  }

  heads();
  return {
    /** @param {ModelInfo} info */
    start(info) {
      model = info;
      session = -1;
      opened = "";
    },
    refresh() {
      heads();
      ask({});
    },
    drop() {
      model = null;
      session = -1;
      opened = "";
    },
  };
}

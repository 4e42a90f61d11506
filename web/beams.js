/** Beams: a beam search on the prompt, as a tree and as a list of its texts. */

import { $, $$, h, keyed, onResize, setKids, setStyle, setText } from "./dom.js";
import { fixed, number, show, special, sum } from "./format.js";
import { createLatest } from "./latest.js";
import { closeSession, promptIds, readPrompt, tokenizer } from "./reader.js";
import { reasonInWords } from "./reasons.js";
import { toWire } from "./settings.js";
import { t } from "./texts.js";
import { asOfStep, pathTo, rank } from "./tree.js";
import { createTreeView } from "./treeview.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./api.d.ts").Node} Node
 *
 * @typedef {object} Deps
 * @property {Engine} engine
 * @property {ReturnType<typeof import("./state.js").createStore>} store
 * @property {Described} described
 * @property {(error: unknown) => void} onError
 */

const STRATEGY = "beam";
const STEPS = 12;
/** No search. */
const NONE = { session: -1, key: "", steps: 0, stop: "", stopDoc: "" };

/** The sliders: where each stands in the state, and its ends. */
const SLIDERS = /** @type {const} */ ([
  { name: "num_beams", id: "beam-n", min: 1, max: 6, step: 1, digits: 0 },
  { name: "steps", id: "beam-step", min: 1, max: STEPS, step: 1, digits: 0 },
  { name: "length_penalty", id: "beam-lp", min: 0, max: 2, step: 0.1, digits: 1 },
]);

/** @param {HTMLElement} root @param {Deps} deps */
export function createBeams(root, { engine, store, described, onError }) {
  /** @type {ModelInfo | null} */
  let model = null;
  let search = NONE;
  /** @type {import("./settings.js").Settings | null} what the search runs with */
  let tuned = null;
  /** @type {Node[]} */
  let nodes = [];
  let best = 0;
  let picked = -1;

  const tree = createTreeView($(".treebox", root), {
    onPick(index) {
      picked = index;
      draw();
    },
  });
  for (const [name, zoom] of /** @type {const} */ ([
    [".zoomin", tree.zoomIn],
    [".zoomout", tree.zoomOut],
    [".zoomfit", tree.zoomFit],
  ]))
    for (const button of $$(name, root)) button.addEventListener("click", zoom);
  onResize($(".treebox", root), () => nodes.length && draw());

  const sliders = SLIDERS.map((slider) => {
    const range = /** @type {HTMLInputElement} */ ($(`#${slider.id}`, root));
    Object.assign(range, { min: slider.min, max: slider.max, step: slider.step });
    range.addEventListener("input", () => {
      store.set({ beams: { ...store.get().beams, [slider.name]: Number(range.value) } });
      syncSliders();
      ask(null);
    });
    return { ...slider, range, out: $(`.${slider.id}-out`, root) };
  });
  function syncSliders() {
    for (const { name, range, out, min, max, digits } of sliders) {
      const v = store.get().beams[name];
      if (Number(range.value) !== v) range.value = String(v);
      setStyle(range, "--fill", (v - min) / (max - min));
      setText(out, Number(v.toFixed(digits)) === v ? fixed(v, digits) : number(v)); // a link's may stand between two marks
    }
  }

  const ask = createLatest(async () => {
    const info = model;
    if (!info) return;
    try {
      await grow(info);
      const answer = await engine.call("tree", { session: search.session });
      nodes = asOfStep(answer.nodes);
      best = answer.best;
      draw();
      root.classList.remove("unread");
    } catch (error) {
      if (model !== info) return; // of a search that is gone
      root.classList.add("unread");
      onError(error);
    }
  });

  /** Begins anew where what the search stands on changed, and steps as far as asked.
   * @param {ModelInfo} info */
  async function grow(info) {
    const { prompt, bos, settings: base, beams } = store.get();
    if (!base) return;
    const { num_beams, length_penalty } = beams;
    const settings = {
      ...base,
      strategy: STRATEGY,
      strategyArgs: { [STRATEGY]: { num_beams, length_penalty } },
      max_new_tokens: STEPS,
    };
    const key = JSON.stringify([info.model, prompt, bos, settings]);
    if (key !== search.key) {
      const { session } = await readPrompt(engine, {
        model: info.model,
        ids: await promptIds(engine, info, { prompt, bos }),
        settings: await toWire(described, settings, info, tokenizer(engine, info.model)),
      });
      if (search.session >= 0) closeSession(engine, search.session);
      search = { session, key, steps: 0, stop: "", stopDoc: "" };
      tuned = settings;
      picked = -1;
    }
    while (search.steps < beams.steps && !search.stop) {
      const { sessions } = await engine.call("step", { sessions: [search.session] });
      const [{ steps, stop, stopDoc }] = sessions;
      search = { ...search, steps, stop, stopDoc };
    }
  }

  function draw() {
    const last = Math.max(1, ...nodes.map((n) => n.step));
    const upto = Math.min(store.get().beams.steps, last);
    tree.draw({ nodes, best, picked, upto });
    const over = search.stop !== "" && upto === last;
    const first = drawList(upto, over ? 0 : upto);
    drawDetail(picked > 0 && nodes[picked]?.step <= upto ? picked : first);
    const why = reasonInWords(search.stopDoc);
    // A small frame has no room for it.
    for (const over of $$(".searchend", root)) {
      over.hidden = !search.stop || upto < last; // the end is beyond the steps on screen
      setText(over, over.hidden ? "" : t("beams.searchEnd", { why }));
    }
  }

  /** The text of a hypothesis, without the prompt.
   * @param {number} index */
  const textOf = (index) =>
    pathTo(nodes, index)
      .map((i) => (special(nodes[i]) ? "" : nodes[i].text || show(nodes[i])))
      .join("");

  /** All texts that are finished or go on, the best first; gives the best one's node.
   * @param {number} upto the last step on screen
   * @param {number} live the step whose texts go on; 0: none does */
  function drawList(upto, live) {
    const { length_penalty } = store.get().beams;
    const ends = nodes.flatMap((n, index) => {
      if (n.step > upto) return [];
      const goesOn = index > 0 && n.state === "live" && n.step === live;
      return goesOn || n.state === "done" ? [{ n, index, score: rank(n, length_penalty) }] : [];
    });
    ends.sort((a, b) => b.score - a.score);
    keyed(
      $(".beamlist", root),
      ends,
      (end) => String(end.index),
      makeLine,
      (el, end, place) => {
        el.classList.toggle("best", place === 0);
        setText($(".n", el), fixed(end.score, 3));
        setText($(".given", el), store.get().prompt);
        setText($(".own", el), textOf(end.index));
        setText($(".hint", el), end.n.reason ? reasonInWords(end.n.reason) : "");
        setText($(".pill", el), t(end.n.state === "done" ? "beams.finished" : "beams.live"));
      },
    );
    return ends[0]?.index ?? 0;
  }

  /** One hypothesis, its sum term by term.
   * @param {number} index */
  function drawDetail(index) {
    const n = nodes[index];
    if (!n || index === 0) return;
    const terms = pathTo(nodes, index).map((i) => Math.log(nodes[i].prob));
    setKids(
      $(".beamdetail", root),
      h("b", { dir: "auto" }, `${store.get().prompt}${textOf(index)}`),
      h("span", { class: "num" }, sum(terms, n.score)),
      h(
        "span",
        {},
        t(`beams.why.${n.state}`, { n: n.place }),
        n.reason ? ` ${reasonInWords(n.reason)}` : "",
      ),
    );
  }

  syncSliders();
  return {
    /** @param {ModelInfo} info */
    start(info) {
      this.drop();
      root.classList.add("unread"); // until it is drawn
      model = info;
    },
    refresh() {
      syncSliders();
      return ask(null);
    },
    /** The search on screen; null: there is none. */
    at: () => (tuned && search.session >= 0 ? { session: search.session, settings: tuned } : null),
    drop() {
      model = null;
      search = NONE;
    },
  };
}

const makeLine = () =>
  h(
    "li",
    {},
    h("span", { class: "n" }),
    h(
      "span",
      { class: "w", dir: "auto" },
      h("span", { class: "given" }),
      h("span", { class: "own" }),
    ),
    h("span", { class: "hint" }),
    h("span", { class: "pill" }),
  );

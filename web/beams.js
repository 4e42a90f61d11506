/** Beams: a beam search on the prompt, as a tree and as a list of its texts. */

import { $, h, keyed, onResize, setKids, setStyle, setText } from "./dom.js";
import { fixed, show, special } from "./format.js";
import { createLatest } from "./latest.js";
import { closeSession, promptIds, readPrompt, tokenizer } from "./reader.js";
import { toWire } from "./settings.js";
import { t } from "./texts.js";
import { asOfStep, pathTo } from "./tree.js";
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
  let search = { session: -1, key: "", steps: 0, stop: "" };
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
      setText(out, fixed(v, digits));
    }
  }

  const ask = createLatest(async () => {
    if (!model) return;
    try {
      await grow(model);
      const answer = await engine.call("tree", { session: search.session });
      nodes = asOfStep(answer.nodes);
      best = answer.best;
      draw();
    } catch (error) {
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
        settings: await toWire(
          described,
          settings,
          info.eos_token_id,
          tokenizer(engine, info.model),
        ),
      });
      if (search.session >= 0) closeSession(engine, search.session);
      search = { session, key, steps: 0, stop: "" };
      tuned = settings;
      picked = -1;
    }
    while (search.steps < beams.steps && !search.stop) {
      const { sessions } = await engine.call("step", { sessions: [search.session] });
      Object.assign(search, { steps: sessions[0].steps, stop: sessions[0].stop });
    }
  }

  function draw() {
    const last = Math.max(1, ...nodes.map((n) => n.step));
    tree.draw({ nodes, best, picked, upto: Math.min(store.get().beams.steps, last) });
    drawList(last);
    drawDetail(picked > 0 ? picked : best);
  }

  /** The text of a hypothesis, without the prompt.
   * @param {number} index */
  const textOf = (index) =>
    pathTo(nodes, index)
      .map((i) => (special(nodes[i]) ? "" : nodes[i].text || show(nodes[i])))
      .join("");

  /** All texts that are finished or go on, the best first.
   * @param {number} last the last step taken */
  function drawList(last) {
    const { length_penalty } = store.get().beams;
    const ends = nodes.flatMap((n, index) => {
      if (n.state === "done") return [{ n, index, score: n.final }];
      const live = index > 0 && n.state === "live" && n.step === last;
      return live ? [{ n, index, score: n.score / n.step ** length_penalty }] : [];
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
        setText($(".pill", el), t(end.n.state === "done" ? "beams.finished" : "beams.live"));
      },
    );
  }

  /** One hypothesis, its sum term by term.
   * @param {number} index */
  function drawDetail(index) {
    const n = nodes[index];
    if (!n || index === 0) return;
    const terms = pathTo(nodes, index).map((i) => fixed(Math.log(nodes[i].prob)));
    setKids(
      $(".beamdetail", root),
      h("b", { dir: "auto" }, `${store.get().prompt}${textOf(index)}`),
      h("span", { class: "num" }, `${terms.join("  ")} = ${fixed(n.score)}`),
      h("span", {}, t(`beams.why.${n.state}`, { n: n.place }), n.reason ? ` ${n.reason}` : ""),
    );
  }

  syncSliders();
  return {
    /** @param {ModelInfo} info */
    start(info) {
      this.drop();
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
      search = { session: -1, key: "", steps: 0, stop: "" };
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
    h("span", { class: "pill" }),
  );

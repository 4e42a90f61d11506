/** The step bar: why this token, and what can be done here. */

import { $, h, icon, setAttr, setKids, setText } from "./dom.js";
import { fixed, pct, show, word } from "./format.js";
import { rivalsAt, runners } from "./rivals.js";
import { has, listed, rich, t } from "./texts.js";
import { pathTo } from "./tree.js";

/**
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./api.d.ts").Status} Status
 *
 * @typedef {object} Search of several texts
 * @property {import("./api.d.ts").Node[]} nodes of its tree
 * @property {number | null} step on screen, from 1; null: the next
 * @property {number} penalty length_penalty
 *
 * @typedef {object} Deps
 * @property {() => void} onStep
 * @property {() => void} onRun starts or pauses
 * @property {() => void} onUndo
 * @property {(on: boolean) => void} onSurprise
 * @property {() => void} onRewind
 * @property {() => void} onFork
 * @property {() => void} onBack
 * @property {() => void} onThrow gives the die back to the seed
 */

export const RUN = 20;

/** @param {import("./format.js").Piece} token */
const marked = (token) => h("mark", {}, h("bdi", {}, word(token)));

/** A sentence or two: how the token of this step is chosen, and why not the top one.
 * @param {View} view @param {Kind} strategy @param {Search | null} search @returns {(string | Node)[]} */
function why({ draw, tokens, numbers }, strategy, search) {
  const name = (/** @type {number} */ i) => marked(tokens[i]);
  if (draw.forced && draw.token >= 0) return rich("why.forced", { token: name(draw.token) });
  if (draw.thrown && draw.token >= 0) {
    const place = {
      die: h("b", {}, pct(draw.die)),
      token: name(draw.token),
      low: pct(draw.low),
      high: pct(draw.high),
    };
    if (draw.token === draw.top) return rich("why.dieTop", place);
    return rich("why.die", { ...place, top: name(draw.top), end: pct(draw.topEnd) });
  }
  if (numbers.kept_count === 0 && draw.token < 0) return [t("why.nothing")];
  if (strategy.beams) {
    const link = h("a", { href: "#beams" }, t("nav.beams"));
    const told = search ? whyOfBeams(search, tokens[draw.top]?.id) : [];
    return told.length ? [...told, link] : rich("why.beams", { link });
  }
  if (draw.token < 0) return [strategy.doc];
  const own = `why.of.${strategy.name}`;
  if (has(own)) return rich(own, { token: name(draw.token) });
  if (draw.token === draw.top)
    return rich("why.top", { strategy: strategy.label, token: name(draw.token) });
  return rich("why.other", { strategy: strategy.label, token: name(draw.token) });
}

/** Who competes in the search, or who competed at a step of it.
 * @param {Search} search @param {number | undefined} top id of the top token @returns {(string | Node)[]} */
function whyOfBeams({ nodes, step, penalty }, top = -1) {
  const of = (/** @type {number} */ i) =>
    h(
      "q",
      { dir: "auto" },
      pathTo(nodes, i)
        .map((at) => show(nodes[at]))
        .join("")
        .trim(),
    );
  if (step === null) {
    const ends = runners(nodes, penalty);
    if (ends.length < 2) return [];
    const [best, next] = ends.map((i) => fixed(nodes[i].score));
    const values = { n: ends.length, best, next, ahead: of(ends[0]), behind: of(ends[1]) };
    return [...rich("why.beams.now", values), " "];
  }
  const found = rivalsAt(nodes, { step, top, penalty });
  if (!found) return [];
  const { own, other, now, otherNow } = found;
  const sums = { score: fixed(own.score), n_place: own.place, other_score: fixed(other.score) };
  const names = { token: marked(own), other: marked(other) };
  const told = rich("why.beams.step", { ...sums, ...names });
  if (other.place < own.place)
    told.push(
      " ",
      ...(otherNow === null
        ? rich("why.beams.gone", { other: marked(other) })
        : rich("why.beams.later", {
            now: fixed(now),
            other_now: fixed(otherNow),
            other: marked(other),
          })),
    );
  return [...told, " "];
}

/** @param {HTMLElement} root @param {Deps} deps */
export function createStep(root, deps) {
  const button = (
    /** @type {string} */ cls,
    /** @type {Parameters<typeof icon>[0] | null} */ sign,
    /** @type {string} */ label,
    /** @type {() => void} */ onclick,
  ) => {
    const short = h("span", { class: "short" }, label);
    return h(
      "button",
      { type: "button", class: `btn ${cls}`, onclick },
      sign ? icon(sign) : null,
      short,
    );
  };
  const drawButton = h(
    "button",
    { type: "button", class: "btn primary", onclick: deps.onStep },
    icon("die"),
    h("span", { class: "label" }),
  );
  const run = button("runbtn", "play", "", deps.onRun);
  const undo = button("", "back", t("step.undo"), deps.onUndo);
  const surprise = button("quiet toggle", "surprise", t("step.surprise"), () => {
    const on = surprise.getAttribute("aria-pressed") !== "true";
    setAttr(surprise, "aria-pressed", String(on));
    deps.onSurprise(on);
  });
  setAttr(surprise, "aria-pressed", "false");
  setAttr(surprise, "title", t("step.surpriseDoc"));
  const next = h("div", { class: "stepacts next" }, drawButton, run, undo, surprise);

  const where = h("span", { class: "where num" });
  const past = h(
    "div",
    { class: "stepacts past", hidden: true },
    where,
    button("rewindbtn", "back", t("step.rewind"), deps.onRewind),
    button("forkbtn", "fork", t("step.fork"), deps.onFork),
    h(
      "button",
      { type: "button", class: "btn quiet backbtn", onclick: deps.onBack },
      t("step.back"),
    ),
  );
  root.append(next, past);
  const sentence = $(".why", root);
  const thrown = h(
    "button",
    { type: "button", class: "linkbtn", onclick: deps.onThrow },
    t("die.back"),
  );

  return {
    /** Shows that there is no step to take. */
    none() {
      setKids(sentence);
      setText($(".label", drawButton), t("step.draw"));
      setText($(".short", run), t("step.run", { n: RUN }));
      next.hidden = false;
      past.hidden = true;
      for (const b of [drawButton, run, undo]) b.disabled = true;
    },

    /** @param {View} view @param {Kind} strategy
     * @param {{byHand: boolean, over: boolean, search: Search | null, taken: string[] | null}} how
     *   byHand: the die was set so; over: the text has ended, so it is not taken; taken: the settings of the step, where they are not those of now */
    why(view, strategy, { byHand, over, search, taken }) {
      const then = taken
        ? [" ", t("why.taken", { settings: listed([strategy.label, ...taken]) })]
        : [];
      setKids(sentence, ...(over ? [t("why.over")] : why(view, strategy, search)), ...then);
      if (byHand && view.draw.thrown) sentence.append(" ", thrown);
    },

    /**
     * @param {Status} status
     * @param {{seen: number | null, running: boolean, refused: boolean, samples: boolean}} how
     */
    update(status, { seen, running, refused, samples }) {
      const focused = root.contains(document.activeElement);
      next.hidden = seen !== null;
      past.hidden = seen === null;
      setText($(".label", drawButton), t(samples ? "step.draw" : "step.take"));
      const stopped = refused || status.stop !== "";
      for (const b of [drawButton, run]) b.toggleAttribute("disabled", stopped);
      undo.toggleAttribute("disabled", status.steps === 0);
      setText($(".short", run), running ? t("step.pause") : t("step.run", { n: RUN }));
      const sign = icon(running ? "pause" : "play");
      if (!run.firstElementChild?.isEqualNode(sign)) run.firstElementChild?.replaceWith(sign);
      if (seen !== null) {
        const { rank, surprise: bits } = status.text[seen];
        setText(
          where,
          t("step.where", {
            n: seen + 1,
            n_of: status.text.length,
            n_rank: rank,
            bits: fixed(bits, 1),
          }),
        );
      }
      // What had the focus may just have been hidden or disabled.
      const at = document.activeElement;
      if (focused && (!at || at === document.body || at.closest("[hidden], :disabled")))
        /** @type {HTMLElement | null} */ (
          root.querySelector(".stepacts:not([hidden]) .btn:not(:disabled)")
        )?.focus();
    },
  };
}

/** One pane of a comparison: its decoder, its text with the fork, its small multiples. */

import { createChart } from "./charts.js";
import { createControls } from "./controls.js";
import { h, icon, keyed, setAttr, setKids, setStyle, setText } from "./dom.js";
import { fixed, int, show, special, stopText } from "./format.js";
import { MAX_PANES, MIN_PANES, OWN, paneName, paneTags, presets } from "./panes.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").Status} Status
 * @typedef {import("./api.d.ts").Step} Step
 * @typedef {import("./api.d.ts").Metrics} Metrics
 * @typedef {import("./state.js").Pane} Pane
 * @typedef {import("./settings.js").Settings} Settings
 *
 * @typedef {object} Deps
 * @property {string} id
 * @property {Described} described
 * @property {Engine} engine
 * @property {(preset: string) => void} onPreset
 * @property {(settings: Settings) => void} onSettings
 * @property {() => void} onDuplicate
 * @property {() => void} onRemove
 *
 * @typedef {object} Shown
 * @property {string} letter
 * @property {boolean} first the reference
 * @property {number} count panes
 * @property {Pane} pane
 * @property {number} length tokens of a whole text
 * @property {number | null} seed its own; null: all panes have the same
 * @property {string} prompt
 * @property {Status | null} status
 * @property {string} error why there is no text, or why it ends here; or empty
 * @property {Step[]} reference the text of pane A
 */

const CHARTS = ["entropy", "nucleus", "surprise"];
/** The name of the first session's line: this pane's. */
const FRONT = "A";

/** Puts this pane's line in front of the others'.
 * @param {any} option @param {number} steps the end of the axis, which stays where it is */
function bringForward(option, steps) {
  option.xAxis[0].max = steps;
  for (const series of option.series) {
    const own = series.name === FRONT;
    const look = {
      color: own ? "--kept" : "--line-strong",
      width: own ? 2.25 : 1,
      opacity: own ? 1 : 0.5,
    };
    Object.assign(series, { z: own ? 3 : 2, lineStyle: look });
  }
}

/** A change of a setting settles for this long before the pane runs anew, ms. */
const SETTLE = 250;

/** @param {Deps} deps */
export function createPane({ id, described, engine, onPreset, onSettings, onDuplicate, onRemove }) {
  const letter = h("span", { class: "letter", "aria-hidden": "true" });
  const own = h("option", { value: OWN, hidden: true });
  const menu = h(
    "select",
    {
      onchange: () => {
        forget();
        onPreset(menu.value);
      },
    },
    presets(described).map((p) => h("option", { value: p.name }, t(`preset.${p.name}`))),
    own,
  );
  const ref = h("span", { class: "pill ref" }, t("pane.reference"));
  const tags = h("span", { class: "tags" });
  const loops = h("span", { class: "pill loops", hidden: true });
  const button = (
    /** @type {string} */ cls,
    /** @type {Parameters<typeof icon>[0]} */ sign,
    /** @type {() => void} */ onclick,
  ) => h("button", { type: "button", class: `iconbtn ${cls}`, onclick }, icon(sign));
  const edit = button("editpane", "tune", () => open(Boolean(settingsBox.hidden)));
  const duplicate = button("", "copy", onDuplicate);
  const remove = button("", "close", onRemove);

  const settingsBox = h("div", { class: "panesettings", id: `pane-${id}-settings`, hidden: true });
  setAttr(edit, "aria-expanded", "false");
  setAttr(edit, "aria-controls", settingsBox.id);

  const given = h("span", { class: "given" });
  const drawn = h("span");
  const end = h("span", { class: "end", hidden: true });
  const problem = h("p", { class: "notice err", role: "alert", hidden: true });

  const figures = CHARTS.map((name) => {
    const caption = h("span");
    const value = h("b", { class: "num" });
    const unit = h("i");
    const plot = h("div", { class: "spark" });
    return {
      name,
      value,
      unit,
      caption,
      plot,
      chart: createChart(plot, {
        edit(option) {
          bringForward(option, steps);
          option.aria.label.description = t("pane.told", {
            title: caption.textContent,
            letter: letter.textContent,
            value: `${value.textContent}${unit.textContent}`,
          });
        },
      }),
      el: h("figure", {}, h("figcaption", {}, caption, value, unit), plot),
    };
  });
  const el = h(
    "article",
    { class: "pane panel" },
    h(
      "header",
      {},
      letter,
      menu,
      h("span", { class: "about" }, ref, tags, loops),
      h("span", { class: "paneacts" }, edit, duplicate, remove),
    ),
    settingsBox,
    problem,
    h("p", { class: "ptext", dir: "auto" }, given, drawn, end),
    h(
      "div",
      { class: "minis" },
      figures.map((f) => f.el),
    ),
  );

  /** @type {ReturnType<typeof createControls> | null} */
  let controls = null;
  /** @type {Settings | null} */
  let settings = null;
  let timer = 0; // of a change that the pane does not run with yet; 0: there is none
  let steps = 2;

  /** Lets a change go that was not run with. */
  function forget() {
    clearTimeout(timer);
    timer = 0;
  }

  /** @param {boolean} on */
  function open(on) {
    settingsBox.hidden = !on;
    setAttr(edit, "aria-expanded", String(on));
    if (!on || !settings) return;
    controls ??= createControls(settingsBox, {
      id: `pane-${id}`,
      described,
      limits: false,
      onChange: (next) => {
        settings = next;
        forget();
        timer = window.setTimeout(() => {
          timer = 0;
          onSettings(next);
        }, SETTLE);
      },
    });
    controls.update(settings, []);
  }

  /** @param {Step[]} steps @param {number} parts where the text leaves A's; -1: nowhere */
  function drawText(steps, parts) {
    keyed(
      drawn,
      steps,
      (s, i) => `${i}:${s.id}`,
      (s) => h("span", { "data-special": special(s) ? "" : null }, show(s)),
      (span, s, i) => {
        const classes = ["t"];
        if (i < parts) classes.push("shared");
        if (i === parts) classes.push("first");
        if (s.die < 0) classes.push("sure");
        setAttr(span, "class", classes.join(" "));
        setStyle(span, "--lo", s.low);
        setStyle(span, "--hi", s.high);
        const mark = span.querySelector(".forkmark");
        if (i === parts && !mark)
          span.prepend(
            h(
              "span",
              { class: "forkmark", title: t("pane.parts") },
              icon("fork"),
              h("span", { class: "sr" }, t("pane.partsHere")),
            ),
          );
        if (i !== parts) mark?.remove();
      },
    );
  }

  return {
    el,
    /** @param {Shown} shown */
    update({ letter: mine, first, count, pane, length, seed, prompt, status, error, reference }) {
      const name = paneName(described, pane);
      problem.hidden = error === "";
      setText(problem, error);
      setText(letter, mine);
      setAttr(el, "aria-label", t("pane.name", { letter: mine, name }));
      setAttr(menu, "aria-label", t("pane.decoder", { letter: mine }));
      for (const [b, key] of /** @type {[HTMLElement, string][]} */ ([
        [edit, "pane.edit"],
        [duplicate, "pane.duplicate"],
        [remove, "pane.remove"],
      ])) {
        setAttr(b, "aria-label", t(key, { letter: mine }));
        setAttr(b, "title", t(key, { letter: mine }));
      }
      setText(own, pane.preset === OWN ? name : t("preset.own"));
      if (menu.value !== pane.preset) menu.value = pane.preset;
      ref.hidden = !first;
      setKids(
        tags,
        [
          ...paneTags(described, pane.settings),
          ...(seed === null ? [] : [`${t("limit.seed")} ${seed}`]),
        ].map((tag) => h("span", { class: "pill" }, tag)),
      );
      duplicate.toggleAttribute("disabled", count >= MAX_PANES);
      remove.toggleAttribute("disabled", count <= MIN_PANES);
      if (!timer && settings !== pane.settings) {
        settings = pane.settings;
        controls?.update(settings, []);
      }
      steps = length;
      const tokens = status?.text ?? [];
      let shared = 0;
      while (shared < tokens.length && reference[shared]?.id === tokens[shared].id) shared++;
      const leaves = !first && shared < tokens.length && shared < reference.length;
      setText(given, prompt);
      drawText(tokens, first ? -1 : leaves ? shared : tokens.length);
      const same =
        !first &&
        tokens.length > 0 &&
        shared === tokens.length &&
        shared === reference.length &&
        Boolean(status?.stop);
      end.hidden = !status?.stop || (status.stop === "max_new_tokens" && !same);
      setText(end, same ? t("pane.same") : status?.stop ? stopText(status) : "");
    },

    /**
     * @param {number} session @param {number[]} all sessions of all panes, in order
     * @param {Metrics} metrics
     */
    async charts(session, all, metrics) {
      const values = {
        entropy: fixed(metrics.mean_entropy, 1),
        nucleus: int(metrics.mean_nucleus),
        surprise: fixed(-metrics.mean_logprob / Math.LN2, 1),
      };
      const units = {
        entropy: t("unit.bits"),
        nucleus: t("unit.tokens", { n: Math.round(metrics.mean_nucleus) }),
        surprise: t("unit.bits"),
      };
      loops.hidden = metrics.loop_period === 0;
      setText(loops, t("pane.loops", { n: metrics.loop_period }));
      for (const f of figures) {
        const name = /** @type {"entropy" | "nucleus" | "surprise"} */ (f.name);
        setText(f.caption, t(`pane.${name}`));
        setText(f.value, values[name]);
        setText(f.unit, ` ${units[name]}`);
        const others = all.filter((s) => s !== session);
        const { option } = await engine.call("chart", {
          name,
          sessions: [session, ...others],
          step: -1,
          draws: 0,
        });
        await f.chart.set(option);
      }
    },

    close() {
      forget();
      for (const f of figures) f.chart.close();
    },
  };
}

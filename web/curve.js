/** The cumulative curve, with the p line as a native range laid over it. */

import { createChart } from "./charts.js";
import { $, h, setAttr, setKids, setStyle, setText } from "./dom.js";
import { int, value, word } from "./format.js";
import { createLatest } from "./latest.js";
import { processor, stageNamed } from "./settings.js";
import { isolated, rich, t } from "./texts.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./control.js").Input} Input
 */

const CHART = "cumulative";
/** How often the curve is drawn anew while a slider moves, ms; and its part of the
 * time, so that it does not hold up the bars. */
const PACE = 200;
const PART = 1 / 8;

/** Keeps the name of an upright line inside the plot, which is logarithmic.
 * @param {{xAxis: number, name: string, label?: object}} line @param {number} ranks */
function labelled(line, ranks) {
  const align = Math.log(line.xAxis) / Math.log(ranks) > 0.8 ? "right" : "center";
  line.label = { align, formatter: line.name.replace(/\d+/, (k) => int(Number(k))) };
}

/**
 * @param {HTMLElement} root the panel
 * @param {{engine: Engine, described: Described, onP: (p: number, how: Input) => void}} deps
 */
export function createCurve(root, { engine, described, onP }) {
  const param = processor(described, "top_p")?.params[0];
  const plot = $(".plot", root);
  const box = $(".curve", root);
  const range = h("input", {
    type: "range",
    class: "pdrag",
    min: 0,
    max: 1,
    step: 0.01,
    "aria-label": t("curve.line"),
    "aria-orientation": "vertical",
    oninput: (/** @type {Event} */ e) =>
      onP(Number(range.value), { live: true, stamp: e.timeStamp }),
    onchange: (/** @type {Event} */ e) =>
      onP(Number(range.value), { live: false, stamp: e.timeStamp }),
  });
  const label = h("b");
  const line = h("div", { class: "pline role-topp", "aria-hidden": "true" }, label);
  line.hidden = range.hidden = true;
  box.append(line, range);

  let ranks = 1; // the end of the axis
  let told = ""; // the chart in words
  const chart = createChart(plot, {
    // The p line is drawn here, where it can be held.
    edit(option) {
      option.aria.label.description = told;
      ranks = option.xAxis[0].max;
      for (const series of option.series)
        if (series.markLine?.data?.some((/** @type {any} */ d) => d.yAxis !== undefined))
          delete series.markLine;
        else for (const line of series.markLine?.data ?? []) labelled(line, ranks);
    },
    onDraw(c) {
      const x = (/** @type {number} */ v) => Number(c.convertToPixel({ xAxisIndex: 0 }, v));
      const y = (/** @type {number} */ v) => Number(c.convertToPixel({ yAxisIndex: 0 }, v));
      const [start, end] = [x(1), x(ranks)];
      const place = {
        left: Math.min(start, end),
        top: y(100),
        wide: Math.abs(end - start),
        high: y(0) - y(100),
      };
      for (const [name, v] of Object.entries(place))
        if (Number.isFinite(v)) setStyle(box, `--${name}`, `${v}px`);
    },
  });

  let drawnAt = 0;
  let pace = PACE;
  const ask = createLatest(
    async (/** @type {{session: number, step: number}} */ { session, step }) => {
      try {
        const asked = performance.now();
        const { option } = await engine.call("chart", {
          name: CHART,
          sessions: [session],
          step,
          draws: 0,
        });
        await chart.set(option);
        drawnAt = performance.now();
        pace = Math.max(PACE, (drawnAt - asked) / PART);
      } catch (error) {
        // A full text has no next step to draw; that of another prompt is gone, and
        // so is a step that was just taken back; a crash is told.
        const { code = "", message } = /** @type {{code?: string, message: string}} */ (error);
        const gone = /^step: /.test(message);
        if (!gone && !["context_full", "unknown", "crash"].includes(code)) console.error(error);
      }
    },
  );
  let timer = 0;

  return {
    /**
     * @param {View} view @param {Settings} settings
     * @param {{session: number, step: number, live: boolean}} how step: -1 is the next
     */
    update(view, settings, { session, step, live }) {
      const stage = stageNamed(settings.stages, "top_p");
      line.hidden = range.hidden = !stage || !param;
      const on = Boolean(stage?.on);
      const p = on ? (stage?.args.top_p ?? 1) : 1;
      const n = view.numbers;
      if (document.activeElement !== range || Math.abs(Number(range.value) - p) > 0.005)
        range.value = String(p);
      range.disabled = step >= 0; // what was taken stays as it was
      setStyle(box, "--p", p);
      line.classList.toggle("off", !on);
      setText(label, on && param ? isolated(`p ${value(param, p)}`) : t("curve.pOff"));
      setAttr(
        range,
        "aria-valuetext",
        on && param ? t("curve.keeps", { p: value(param, p), n: n.nucleus_size }) : t("curve.off"),
      );
      told = t("curve.told", { n: n.nucleus_size });
      const crossing = n.crossing_sum > 0 && on;
      const note = $(".crossnote", root);
      if (crossing)
        setKids(
          note,
          h("span", { class: "dotkey" }),
          h(
            "span",
            {},
            ...rich("curve.crossing", {
              token: h("bdi", {}, word(n.crossing_token)),
              share: n.crossing_sum,
            }),
          ),
        );
      else setKids(note, stage && step < 0 ? t("curve.drag") : "");

      clearTimeout(timer);
      const wait = live ? Math.max(0, pace - (performance.now() - drawnAt)) : 0;
      timer = window.setTimeout(() => ask({ session, step }), wait);
    },
  };
}

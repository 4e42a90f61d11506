/** What of Compare goes into a file. */

import { stopText } from "../format.js";
import { language, t } from "../texts.js";
import { shareLink } from "./linktab.js";

/**
 * @typedef {import("./report.js").Comparison} Comparison
 * @typedef {import("./report.js").Words} Words
 */

/** @param {import("./dialog.js").Source} source @returns {Promise<Comparison>} */
export async function comparisonOf({ engine, model, ran }) {
  const info = model();
  const { state, panes } = ran() ?? {};
  if (!info || !state || !panes) throw new Error(t("share.noModel"));
  const entries = panes.flatMap((p) => (p.status ? [{ ...p, status: p.status }] : []));
  const { sessions } = await engine.call("metrics", {
    sessions: entries.map((p) => p.status.session),
  });
  return {
    link: shareLink({ ...state, view: "compare" }),
    model: { id: info.id, name: info.name, hash: info.hash },
    prompt: state.prompt,
    seed: state.settings?.seed ?? 0,
    panes: entries.map(({ letter, name, tags, settings, status }, i) => ({
      letter,
      name,
      tags,
      settings,
      stop: status.stop ? stopText(status) : "",
      text: status.text,
      metrics: sessions[i],
    })),
  };
}

/** @type {[keyof import("../api.d.ts").Metrics, number][]} */
const COLUMNS = [
  ["tokens", 0],
  ["mean_logprob", 2],
  ["perplexity", 1],
  ["distinct_1", 2],
  ["distinct_2", 2],
  ["distinct_3", 2],
  ["repeated_4", 2],
  ["mean_entropy", 2],
  ["mean_nucleus", 0],
];

/** @returns {Words} */
export const reportWords = () => ({
  language,
  direction: document.documentElement.dir === "rtl" ? "rtl" : "ltr",
  title: t("report.title"),
  prompt: t("text.prompt"),
  seed: t("limit.seed"),
  model: t("model.title"),
  link: t("share.link"),
  metrics: t("metrics.title"),
  entropy: t("report.entropy"),
  nucleus: t("report.nucleus"),
  surprise: t("report.surprise"),
  columns: COLUMNS.map(([name, digits]) => [name, t(`metrics.${name}`), digits]),
});

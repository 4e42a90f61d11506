/** Files: the pictures of the view, the step, the comparison. */

import { $, h, icon, setKids } from "../dom.js";
import { t } from "../texts.js";
import { comparisonOf, reportWords } from "./comparison.js";
import { save } from "./copy.js";
import { shareLink } from "./linktab.js";
import { picturesOf } from "./pictures.js";
import { comparisonHTML, comparisonJSON } from "./report.js";
import { stepCSV, stepJSON } from "./stepfile.js";
import { pngFile } from "./svgfile.js";

/** Tokens of a step in a file. */
const ROWS = 1000;

/** @param {import("./dialog.js").Source} source @returns {import("./dialog.js").Tab} */
export function exportTab(source) {
  /** @type {ReturnType<typeof picturesOf>} */
  let pictures = [];
  const problem = h("p", { class: "notice err", role: "alert" });
  const which = h("select", { "aria-label": t("share.picture") });

  /** @param {string} label @param {() => unknown} run */
  const button = (label, run) =>
    h(
      "button",
      {
        type: "button",
        class: "btn",
        async onclick() {
          setKids(problem);
          try {
            await run();
          } catch (error) {
            setKids(problem, /** @type {Error} */ (error).message);
          }
        },
      },
      icon("save"),
      label,
    );

  const picked = () => pictures[which.selectedIndex];
  /** @param {string} what @param {string} type */
  const file = (what, type) => `decoding-${what}.${type}`;

  async function step() {
    const at = source.step();
    const info = source.model();
    if (!at || !info) throw new Error(t("share.noModel"));
    const { settings, ...where } = at;
    const view = await source.engine.call("view", { ...where, rows: ROWS });
    const { prompt } = source.state();
    const model = { id: info.id, name: info.name, hash: info.hash };
    return { view, about: { link: shareLink(source.state()), model, prompt, settings } };
  }

  const pictureRow = h(
    "div",
    { class: "acts wrap" },
    which,
    button("SVG", () => save(file("picture", "svg"), picked().file().text, "image/svg+xml")),
    button("PNG", async () => save(file("picture", "png"), await pngFile(picked().file()))),
  );
  const stepRow = h(
    "div",
    { class: "acts wrap" },
    button("CSV", async () => save(file("step", "csv"), stepCSV((await step()).view), "text/csv")),
    button("JSON", async () => {
      const { view, about } = await step();
      save(file("step", "json"), stepJSON(view, about), "application/json");
    }),
  );
  const compareRow = h(
    "div",
    { class: "acts wrap" },
    button("JSON", async () =>
      save(
        file("comparison", "json"),
        comparisonJSON(await comparisonOf(source)),
        "application/json",
      ),
    ),
    button("HTML", async () =>
      save(
        file("comparison", "html"),
        comparisonHTML(await comparisonOf(source), reportWords()),
        "text/html",
      ),
    ),
  );
  const noPicture = h("p", { class: "hint" }, t("share.noPicture"));
  const noPanes = h("p", { class: "hint" }, t("share.noPanes"));

  /** @param {string} key @param {...HTMLElement} rows */
  const group = (key, ...rows) => h("section", {}, h("h3", {}, t(key)), rows);
  return {
    el: h(
      "div",
      { class: "sharebody" },
      h("p", {}, t("share.exportDoc")),
      group("share.pictures", pictureRow, noPicture),
      group("share.step", stepRow),
      group("share.comparison", compareRow, noPanes),
      problem,
    ),
    open() {
      setKids(problem);
      pictures = picturesOf($(`#view-${source.state().view}`));
      setKids(
        which,
        pictures.map((p) => h("option", {}, p.name)),
      );
      pictureRow.hidden = pictures.length === 0;
      noPicture.hidden = pictures.length > 0;
      const written = Boolean(source.ran()?.panes.some((p) => p.status?.text.length));
      compareRow.hidden = !written;
      noPanes.hidden = written;
    },
  };
}

/** What the small charts of a comparison show, as a table: a row a step, a column a pane. */

import { h, keyed, setAttr, setText } from "./dom.js";
import { fixed, int, word } from "./format.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Step} Step
 *
 * @typedef {object} Text of a pane
 * @property {string} letter
 * @property {string} name
 * @property {Step[]} steps
 */

/** @type {{name: "entropy" | "nucleus" | "surprise", write: (s: Step) => string}[]} */
const MEASURES = [
  { name: "entropy", write: (s) => fixed(s.entropy) },
  { name: "nucleus", write: (s) => int(s.nucleus) },
  { name: "surprise", write: (s) => fixed(s.surprise) },
];

/** @param {HTMLElement} root what it stands in */
export function createBySteps(root) {
  let measure = MEASURES[0];
  /** @type {Text[]} */
  let texts = [];

  const buttons = MEASURES.map((m) =>
    h(
      "button",
      {
        type: "button",
        onclick() {
          measure = m;
          draw();
        },
      },
      t(`bysteps.${m.name}`),
    ),
  );
  const caption = h("caption", { class: "sr" });
  const head = h("tr");
  const body = h("tbody");
  const table = h("table", {}, caption, h("thead", {}, head), body);
  const box = h(
    "details",
    { ontoggle: draw },
    h("summary", {}, t("bysteps.title")),
    h("div", { class: "seg", role: "group", "aria-label": t("bysteps.measures") }, buttons),
    h("section", { class: "scrollx", tabIndex: 0, "aria-label": t("bysteps.scroll") }, table),
  );
  root.append(box);

  function draw() {
    if (!box.open) return;
    for (const [i, b] of buttons.entries())
      setAttr(b, "aria-pressed", String(MEASURES[i] === measure));
    setText(caption, `${t("bysteps.title")}: ${t(`bysteps.${measure.name}`)}`);
    keyed(
      head,
      ["", ...texts.map((x) => x.letter)],
      (letter) => letter,
      () => h("th", { scope: "col" }),
      (th, letter, i) => setText(th, i ? `${letter} ${texts[i - 1].name}` : t("bysteps.step")),
    );
    const steps = Math.max(0, ...texts.map((x) => x.steps.length));
    keyed(
      body,
      Array.from({ length: steps }, (_, i) => i),
      String,
      () => h("tr"),
      (row, i) =>
        keyed(
          row,
          ["", ...texts.map((x) => x.letter)],
          (letter) => letter,
          (letter) =>
            letter
              ? h("td", {}, h("span", { class: "n num" }), h("bdi"))
              : h("th", { scope: "row", class: "n" }, int(i + 1)),
          (cell, letter, n) => {
            if (!letter) return;
            const step = texts[n - 1].steps[i];
            setText(cell.children[0], step ? measure.write(step) : "–");
            setText(cell.children[1], step ? word(step) : "");
          },
        ),
    );
  }

  return {
    /** @param {Text[]} now */
    update(now) {
      texts = now;
      draw();
    },
  };
}

/** The picture before the first: strips as they might be, without a word. */

import { $, h } from "../dom.js";

/** How a strip is divided; no model has said so. */
const SHARES = [34, 17, 11, 8, 6, 5, 4, 3, 2];

/** @param {boolean} cut whether an end falls off */
const strip = (cut) =>
  h(
    "div",
    { class: "strip" },
    SHARES.map((w, i) => h("span", { class: `piece ${i % 2 ? "odd" : ""}`, style: { "--w": w } })),
    cut ? h("span", { class: "piece removed", style: { "--w": 18 } }) : null,
  );

/** Where a part has room for it. @type {Record<string, string>} */
const PLACE = {
  compare: ".panes",
  beams: ".treebox",
  draws: ".drawpicture",
  lesson: ".posterroom",
  step: ".posterroom",
};

/**
 * Puts a still picture into a part; the answer takes it away.
 *
 * @param {HTMLElement} root @param {import("../share/snippets.js").Part} part
 */
export function showStill(root, part) {
  const still = PLACE[part]
    ? [h("div", { class: "still" }, strip(true), strip(false), strip(false))]
    : [strip(true), strip(false)];
  const places = PLACE[part] ? [$(PLACE[part], root)] : [$(".s-model", root), $(".s-final", root)];
  for (const [i, place] of places.entries()) place.append(still[i]);
  return () => {
    for (const el of still) el.remove();
  };
}

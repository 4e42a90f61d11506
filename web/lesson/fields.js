/** Fields beside a figure on the page's model: its prompt, its seed, a text of one's own, a token of one's choice. */

import { h } from "../dom.js";
import { createNumberField } from "../numberfield.js";
import { limitPrompt } from "../promptlimit.js";
import { MAX_SEED } from "../settings.js";
import { t } from "../texts.js";

/**
 * @typedef {import("./bench.js").Bench} Bench
 *
 * @typedef {object} Sheet what is set
 * @property {Bench} bench
 * @property {(job: () => Promise<void>) => Promise<void>} act
 * @property {(settings: import("../settings.js").Settings, how: import("../control.js").Input) => void} set
 */

/** Typing settles for this long before a prompt is read, ms. */
const SETTLE = 300;

const TEXT = { type: "text", dir: "auto", spellcheck: false, autocomplete: "off" };

/** @param {Sheet[]} sheets */
export function promptField(sheets) {
  let timer = 0;
  const field = h("input", { ...TEXT, value: sheets[0].bench.prompt });
  function take() {
    clearTimeout(timer);
    timer = 0;
    if (field.value) for (const s of sheets) s.act(() => s.bench.setPrompt(field.value));
  }
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(take, SETTLE);
  });
  // Who leaves the box for Run means the new prompt: taken later, it would end the run.
  field.addEventListener("blur", () => timer && take());
  const label = h("label", { class: "grow2" }, t("text.prompt"), field);
  return [label, limitPrompt(field).note];
}

/** @param {Sheet[]} sheets */
export function seedField(sheets) {
  const { field, error, sync } = createNumberField({
    label: t("limit.seed"),
    low: 0,
    high: MAX_SEED,
    onNumber(seed) {
      for (const s of sheets) s.set({ ...s.bench.settings, seed }, { live: false, stamp: 0 });
    },
  });
  sync(sheets[0].bench.settings.seed);
  return [h("label", {}, t("limit.seed"), field), error];
}

/** A text of one's own, to be coloured. @param {Sheet} sheet */
export function ownText(sheet) {
  const area = h("textarea", {
    class: "list",
    rows: 2,
    dir: "auto",
    spellcheck: false,
    "aria-label": t("lesson.ownText"),
  });
  const read = h("button", { type: "button", class: "btn" }, t("lesson.ownRead"));
  read.addEventListener("click", () => {
    if (area.value.trim()) sheet.act(() => sheet.bench.read(area.value));
  });
  const { note } = limitPrompt(area);
  return h(
    "details",
    { class: "owntext" },
    h("summary", {}, t("lesson.ownText")),
    area,
    note,
    read,
  );
}

/** Any token of the vocabulary: the bars show a few. @param {(text: string) => Promise<void>} take */
export function choiceField(take) {
  const field = h("input", TEXT);
  const button = h("button", { type: "button", class: "btn" }, t("lesson.take"));
  const go = () => {
    if (field.value) take(field.value);
  };
  button.addEventListener("click", go);
  field.addEventListener("keydown", (e) => {
    if (e.key === "Enter") go();
  });
  return h(
    "div",
    { class: "sharedset choice" },
    h("label", {}, t("lesson.takeText"), field),
    button,
  );
}

/** Where a text ends, and the seed of its die. */

import { h, icon, setText } from "./dom.js";
import { createNumberField } from "./numberfield.js";
import { MAX_NEW_TOKENS, MAX_SEED, MAX_TIME } from "./settings.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./api.d.ts").Kind} Kind
 */

/** A stop string as it is typed: \n and \t stand for line end and tab.
 * @param {string} s */
const typed = (s) => s.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\t/g, "\\t");
/** @param {string} s */
const meant = (s) =>
  s.replace(/\\(.)/g, (_, c) => ({ n: "\n", t: "\t" })[/** @type {"n" | "t"} */ (c)] ?? c);

/**
 * @param {{id: string, onChange: (patch: Partial<Settings>) => void}} deps
 */
export function createLimits({ id, onChange }) {
  /**
   * @param {"seed" | "max_new_tokens" | "max_length" | "max_time"} name
   * @param {number} low @param {number} high @param {boolean} [whole] */
  function numberField(name, low, high, whole) {
    const label = t(`limit.${name}`);
    const onNumber = (/** @type {number} */ v) => onChange({ [name]: v });
    const made = createNumberField({ label, low, high, whole, onNumber });
    made.field.id = `${id}-${name}`;
    return made;
  }

  const most = numberField("max_new_tokens", 1, MAX_NEW_TOKENS);
  const longest = numberField("max_length", 0, MAX_NEW_TOKENS);
  const time = numberField("max_time", 0, MAX_TIME, false);
  const ends = h("input", {
    type: "checkbox",
    class: "switch",
    role: "switch",
    id: `${id}-ends`,
    onchange: () => onChange({ ends: ends.checked }),
  });
  const tokens = h("textarea", {
    id: `${id}-ends-at`,
    class: "list",
    rows: 1,
    dir: "auto",
    spellcheck: false,
    oninput: () => onChange({ endTokens: tokens.value.split("\n").filter(Boolean).map(meant) }),
  });
  const stop = h("textarea", {
    id: `${id}-stop`,
    class: "list",
    rows: 1,
    dir: "auto",
    spellcheck: false,
    oninput: () => onChange({ stop: stop.value.split("\n").filter(Boolean).map(meant) }),
  });
  /** @param {ReturnType<typeof createNumberField>} number @param {string} label @param {string} [doc] */
  const row = ({ field, error }, label, doc) =>
    h(
      "div",
      { class: "ctl bare" },
      h("label", { class: "name", htmlFor: field.id }, t(label)),
      field,
      doc ? h("p", { class: "hint" }, doc) : null,
      error,
    );
  const end = h(
    "fieldset",
    { class: "group" },
    h("legend", {}, t("group.end")),
    row(most, "limit.max_new_tokens"),
    row(longest, "limit.max_length", t("limit.max_lengthDoc")),
    row(time, "limit.max_time", t("limit.max_timeDoc")),
    h(
      "div",
      { class: "ctl" },
      ends,
      h("label", { class: "name wide", htmlFor: ends.id }, t("limit.eos")),
    ),
    h(
      "div",
      { class: "field" },
      h("label", { class: "name", htmlFor: tokens.id }, t("limit.endTokens")),
      tokens,
      h("p", { class: "hint" }, t("limit.endTokensDoc")),
    ),
    h(
      "div",
      { class: "field" },
      h("label", { class: "name", htmlFor: stop.id }, t("limit.stop")),
      stop,
      h("p", { class: "hint" }, t("limit.stopDoc")),
    ),
  );

  const die = numberField("seed", 0, MAX_SEED);
  const seedHint = h("p", { class: "hint" });
  const dice = h(
    "fieldset",
    { class: "group" },
    h("legend", {}, t("limit.seed")),
    h(
      "div",
      { class: "field row" },
      h("label", { class: "sr", htmlFor: die.field.id }, t("limit.seed")),
      die.field,
      h(
        "button",
        {
          type: "button",
          class: "btn",
          onclick: () => onChange({ seed: 1 + Math.floor(Math.random() * 999) }),
        },
        icon("die"),
        t("limit.newSeed"),
      ),
    ),
    die.error,
    seedHint,
  );

  return {
    els: [end, dice],
    /** @param {Settings} settings @param {Kind} [strategy] */
    sync(settings, strategy) {
      most.sync(settings.max_new_tokens);
      most.field.closest(".ctl")?.classList.toggle("off", settings.max_length > 0);
      longest.sync(settings.max_length);
      time.sync(settings.max_time);
      if (document.activeElement !== tokens)
        tokens.value = settings.endTokens.map(typed).join("\n");
      ends.checked = settings.ends;
      if (document.activeElement !== stop) stop.value = settings.stop.map(typed).join("\n");
      die.sync(settings.seed);
      dice.classList.toggle("off", !strategy?.samples);
      setText(
        seedHint,
        strategy?.samples
          ? t("limit.seedDoc")
          : t("limit.seedIgnored", { strategy: strategy?.label }),
      );
    },
  };
}

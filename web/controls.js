/**
 * The settings panel, made from what the engine describes: the stages, the
 * strategy, the end of the text and the seed.
 */

import { h, icon, setAttr } from "./dom.js";
import { createLimits } from "./limits.js";
import { stageNamed, strategy } from "./settings.js";
import { createStageList } from "./stagelist.js";
import { createStrategy } from "./strategy.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./rows.js").Row} Row
 * @typedef {import("./control.js").Input} Input
 * @typedef {import("./api.d.ts").Ignored} Ignored
 *
 * @typedef {object} Deps
 * @property {string} id makes the ids of this panel its own
 * @property {Described} described
 * @property {boolean} [limits] whether the end of the text and the seed are set here
 * @property {(settings: Settings, how: Input) => void} onChange
 */

const ONCE = { live: false, stamp: 0 };

/** @param {HTMLElement} root @param {Deps} deps */
export function createControls(root, { id, described, limits: withLimits = true, onChange }) {
  /** @type {Settings} */
  let settings;
  /** @type {Row[]} */
  let rows = [];
  /** @type {Ignored[]} */
  let ignored = [];

  /** @param {Partial<Settings>} patch @param {Input} [how] */
  function change(patch, how = ONCE) {
    settings = { ...settings, ...patch };
    sync();
    onChange(settings, how);
  }

  const stages = createStageList({
    id,
    described,
    onChange: (next, how) => change({ stages: next }, how),
  });
  const strategies = createStrategy({ id, described, onChange: change });
  const limits = createLimits({ id, onChange: change });
  const allOff = h(
    "button",
    {
      type: "button",
      class: "btn quiet reset",
      onclick: () => change({ stages: settings.stages.map((s) => ({ ...s, on: false })) }),
    },
    icon("back"),
    t("ctl.allOff"),
  );
  root.append(...stages.els, strategies.el, ...(withLimits ? limits.els : []), allOff);

  function sync() {
    stages.sync(settings, rows, ignored);
    strategies.sync(settings, ignored);
    limits.sync(settings, strategy(described, settings.strategy));
    setAttr(root, "data-strategy", settings.strategy);
  }

  return {
    /** Shows settings, what the strips of the picture say about them, and what of
     * them has no effect.
     * @param {Settings} now @param {Row[]} [picture] @param {Ignored[]} [without] */
    update(now, picture = rows, without = ignored) {
      settings = now;
      rows = picture;
      ignored = without;
      sync();
    },
    /** Sets the number of a stage that has one of its own name, from elsewhere.
     * @param {string} kind @param {number} v @param {Input} how */
    set(kind, v, how) {
      const stage = stageNamed(settings.stages, kind);
      const edit = (/** @type {Settings["stages"][number]} */ s) =>
        s === stage ? { ...s, on: true, args: { ...s.args, [kind]: v } } : s;
      change({ stages: settings.stages.map(edit) }, how);
    },
  };
}

/** The stages by group, the list that adds one, and their order. */

import { $, h, keyed } from "./dom.js";
import { createOrder } from "./order.js";
import { createPicker, groupName } from "./picker.js";
import { newStage, processor, stageKey, strategy } from "./settings.js";
import { createStagePart } from "./stagepart.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Stage} Stage
 * @typedef {import("./rows.js").Row} Row
 * @typedef {import("./control.js").Input} Input
 * @typedef {import("./api.d.ts").Ignored} Ignored
 *
 * @typedef {object} Deps
 * @property {string} id
 * @property {Described} described
 * @property {(stages: Stage[], how?: Input) => void} onChange
 */

/** The groups that come first. */
const GROUPS = ["Shape", "Cut", "Repeat"];

/** @param {Deps} deps */
export function createStageList({ id, described, onChange }) {
  /** @type {Stage[]} */
  let stages = [];
  /** @type {Map<string, ReturnType<typeof createStagePart>>} */
  const parts = new Map();
  const groups = [...new Set([...GROUPS, ...described.processors.map((k) => k.group)])];
  const kindOf = (/** @type {string} */ name) => /** @type {Kind} */ (processor(described, name));
  /** A kind's place in the usual pipeline. @param {string} name */
  const place = (name) => described.processors.findIndex((k) => k.name === name);

  const box = h("div", { class: "stagegroups" });
  const picker = createPicker({
    id: `${id}-add`,
    label: t("ctl.add"),
    kinds: () => described.processors,
    groups,
    onPick: add,
  });
  const order = createOrder(described, { onOrder: onChange });

  /** Adds a stage where it usually stands. @param {Kind} kind */
  function add(kind) {
    const found = stages.findIndex((s) => place(s.kind) > place(kind.name));
    const at = found < 0 ? stages.length : found;
    onChange(stages.toSpliced(at, 0, newStage(kind)));
    const first = parts.get(stageKey(stages, at))?.el.querySelector("input, select, textarea");
    /** @type {HTMLElement | null | undefined} */ (first)?.focus();
  }

  /** @param {number} index */
  function make(index) {
    const key = stageKey(stages, index);
    const part = createStagePart({
      id: `${id}-${key}`,
      kind: kindOf(stages[index].kind),
      onChange: (edit, how) =>
        onChange(
          stages.map((s, i) => (stageKey(stages, i) === key ? edit(s) : s)),
          how,
        ),
    });
    parts.set(key, part);
    return part.el;
  }

  return {
    els: [box, h("div", { class: "group" }, h("div", { class: "field" }, picker.el), order.el)],
    /** @param {Settings} settings @param {Row[]} rows @param {Ignored[]} ignored */
    sync(settings, rows, ignored) {
      stages = settings.stages;
      const used = /** @type {Kind} */ (strategy(described, settings.strategy));
      // In the panel a stage stays where it is; the order has its own list.
      const inGroup = (/** @type {string} */ group) =>
        [...stages.keys()]
          .filter((i) => kindOf(stages[i].kind).group === group)
          .sort((a, b) => place(stages[a].kind) - place(stages[b].kind));
      keyed(
        box,
        groups.filter((group) => inGroup(group).length),
        (group) => group,
        (group) =>
          h(
            "fieldset",
            { class: "group" },
            h("legend", {}, groupName(group)),
            h("div", { class: "parts" }),
          ),
        (el, group) =>
          keyed(
            $(".parts", el),
            inGroup(group),
            (i) => stageKey(stages, i),
            make,
            (_, i) =>
              parts.get(stageKey(stages, i))?.sync(stages[i], {
                strategy: used,
                row: rows.find((r) => r.index === i),
                reason: ignored.find((x) => x.place === i)?.reason ?? "",
              }),
          ),
      );
      order.sync(stages);
    },
  };
}

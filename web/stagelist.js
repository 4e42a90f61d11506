/** The stages by group, the menu that adds one, and their order. */

import { $, h, keyed } from "./dom.js";
import { createOrder } from "./order.js";
import { newStage, processor, strategy } from "./settings.js";
import { createStagePart } from "./stagepart.js";
import { has, t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Stage} Stage
 * @typedef {import("./rows.js").Row} Row
 * @typedef {import("./control.js").Input} Input
 *
 * @typedef {object} Deps
 * @property {string} id
 * @property {Described} described
 * @property {(stages: Stage[], how?: Input) => void} onChange
 */

/** The groups that come first. */
const GROUPS = ["Shape", "Cut", "Repeat"];

/** @param {string} name */
const groupName = (name) => (has(`group.${name}`) ? t(`group.${name}`) : name);

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
  const menu = h("select", { id: `${id}-add`, "aria-label": t("ctl.add"), onchange: add });
  const order = createOrder(described, {
    onOrder: onChange,
    onRemove: (kind) => onChange(stages.filter((s) => s.kind !== kind)),
  });

  function add() {
    const kind = processor(described, menu.value);
    menu.value = "";
    if (!kind) return;
    const at = stages.findIndex((s) => place(s.kind) > place(kind.name));
    onChange(stages.toSpliced(at < 0 ? stages.length : at, 0, newStage(kind)));
    const first = parts.get(kind.name)?.el.querySelector("input, select, textarea");
    /** @type {HTMLElement | null | undefined} */ (first)?.focus();
  }

  /** @param {Stage} stage */
  function make({ kind: name }) {
    const part = createStagePart({
      id: `${id}-${name}`,
      kind: kindOf(name),
      onChange: (edit, how) =>
        onChange(
          stages.map((s) => (s.kind === name ? edit(s) : s)),
          how,
        ),
    });
    parts.set(name, part);
    return part.el;
  }

  /** Offers what is not there yet. */
  function syncMenu() {
    const left = described.processors.filter((k) => !stages.some((s) => s.kind === k.name));
    const names = left.map((k) => k.name).join();
    if (menu.dataset.left === names) return;
    menu.dataset.left = names;
    menu.hidden = left.length === 0;
    const offers = groups
      .map((group) => ({ group, kinds: left.filter((k) => k.group === group) }))
      .filter(({ kinds }) => kinds.length);
    menu.replaceChildren(
      h("option", { value: "" }, t("ctl.add")),
      ...offers.map(({ group, kinds }) =>
        h(
          "optgroup",
          { label: groupName(group) },
          kinds.map((k) => h("option", { value: k.name, title: k.doc }, k.label)),
        ),
      ),
    );
  }

  return {
    els: [box, h("div", { class: "group" }, h("div", { class: "field" }, menu), order.el)],
    /** @param {Settings} settings @param {Row[]} rows */
    sync(settings, rows) {
      stages = settings.stages;
      const used = /** @type {Kind} */ (strategy(described, settings.strategy));
      // In the panel a stage stays where it is; the order has its own list.
      const inGroup = (/** @type {string} */ group) =>
        stages
          .filter((s) => kindOf(s.kind).group === group)
          .sort((a, b) => place(a.kind) - place(b.kind));
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
            (s) => s.kind,
            make,
            (_, s) =>
              parts
                .get(s.kind)
                ?.sync(s, { strategy: used, row: rows.find((r) => r.kind === s.kind) }),
          ),
      );
      syncMenu();
      order.sync(stages);
    },
  };
}

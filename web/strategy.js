/** The strategy: a menu, what it does, and its own parameters. */

import { createControl } from "./control.js";
import { h, keyed, setText } from "./dom.js";
import { fullArgs, strategy } from "./settings.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./control.js").Control} Control
 * @typedef {import("./control.js").Input} Input
 *
 * @typedef {object} Deps
 * @property {string} id
 * @property {Described} described
 * @property {(patch: Partial<Settings>, how?: Input) => void} onChange
 */

/** @param {Deps} deps */
export function createStrategy({ id, described, onChange }) {
  /** @type {Settings} */
  let settings;
  /** @type {Map<string, Control>} */
  const controls = new Map();

  const menu = h(
    "select",
    { id: `${id}-strategy`, onchange: () => onChange({ strategy: menu.value }) },
    described.strategies.map((k) => h("option", { value: k.name }, k.label)),
  );
  const doc = h("p", { class: "hint" });
  const box = h("div");
  const label = h("label", { htmlFor: menu.id, class: "sr" }, t("group.strategy"));
  const el = h(
    "fieldset",
    { class: "group" },
    h("legend", {}, t("group.strategy")),
    h("div", { class: "field" }, label, menu, doc),
    box,
  );

  /** @param {Kind} kind @param {Kind["params"][number]} param */
  function make(kind, param) {
    const control = createControl({
      id: `${id}-${kind.name}-${param.name}`,
      param,
      label: param.label || param.name,
      letter: "",
      role: "",
      doc: param.doc,
      onToggle: null,
      onValue: (v, how) => {
        const mine = { ...settings.strategyArgs[kind.name], [param.name]: v };
        onChange({ strategyArgs: { ...settings.strategyArgs, [kind.name]: mine } }, how);
      },
    });
    controls.set(`${kind.name}.${param.name}`, control);
    return control.el;
  }

  return {
    el,
    /** @param {Settings} now */
    sync(now) {
      settings = now;
      const kind = /** @type {Kind} */ (strategy(described, settings.strategy));
      const args = fullArgs(kind, settings.strategyArgs[kind.name]);
      menu.value = kind.name;
      setText(doc, kind.doc);
      keyed(
        box,
        kind.params.filter((p) => p.type !== "sequences"),
        (p) => `${kind.name}.${p.name}`,
        (p) => make(kind, p),
        (_, p) =>
          controls
            .get(`${kind.name}.${p.name}`)
            ?.sync(args[p.name], { on: true, now: p.doc, ignored: false }),
      );
    },
  };
}

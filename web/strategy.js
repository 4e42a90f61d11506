/** The strategy: a menu, what it does, and its own parameters. */

import { createControl } from "./control.js";
import { h, keyed, setKids, setText } from "./dom.js";
import { createNumberField } from "./numberfield.js";
import { createPicker, formula, groupName } from "./picker.js";
import { fullArgs, MAX_EARLY_EXIT, strategy } from "./settings.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./control.js").Control} Control
 * @typedef {import("./control.js").Input} Input
 * @typedef {import("./api.d.ts").Ignored} Ignored
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
  const groups = [...new Set(described.strategies.map((k) => k.group))];

  const menu = h(
    "select",
    { id: `${id}-strategy`, onchange: () => onChange({ strategy: menu.value }) },
    groups.map((group) =>
      h(
        "optgroup",
        { label: groupName(group) },
        described.strategies
          .filter((k) => k.group === group)
          .map((k) => h("option", { value: k.name }, k.label)),
      ),
    ),
  );
  const picker = createPicker({
    id: `${id}-find`,
    label: t("pick.strategy"),
    kinds: () => described.strategies,
    groups,
    onPick: (kind) => {
      onChange({ strategy: kind.name });
      menu.focus();
    },
  });
  const doc = h("p", { class: "hint" });
  const signs = h("div");
  const blocks = createNumberField({
    label: t("pick.blocks"),
    low: 0,
    high: MAX_EARLY_EXIT,
    empty: 0,
    onNumber: (v) => onChange({ assistant_early_exit: v }),
  });
  blocks.field.id = `${id}-blocks`;
  blocks.field.placeholder = t("pick.blocksAuto");
  const draft = h(
    "div",
    { class: "ctl bare" },
    h("label", { class: "name", htmlFor: blocks.field.id }, t("pick.blocks")),
    blocks.field,
    h("p", { class: "hint" }, t("pick.blocksDoc")),
    blocks.error,
  );
  const box = h("div");
  const label = h("label", { htmlFor: menu.id, class: "sr" }, t("group.strategy"));
  const el = h(
    "fieldset",
    { class: "group" },
    h("legend", {}, t("group.strategy")),
    h("div", { class: "field" }, label, menu, doc, signs, picker.el),
    box,
    draft,
  );

  /** A list of plain numbers. @param {Kind} kind @param {Kind["params"][number]} param */
  function makeList(kind, param) {
    const field = h("input", {
      type: "text",
      id: `${id}-${kind.name}-${param.name}`,
      inputMode: "numeric",
      oninput: () => {
        const mine = { ...settings.strategyLists[kind.name], [param.name]: field.value };
        onChange({ strategyLists: { ...settings.strategyLists, [kind.name]: mine } });
      },
    });
    const now = h("p", { class: "hint" });
    const el = h(
      "div",
      { class: "ctl bare" },
      h("label", { class: "name", htmlFor: field.id }, param.label),
      field,
      now,
    );
    controls.set(`${kind.name}.${param.name}`, {
      el,
      sync: (_, { now: words, ignored }) => {
        const typed = settings.strategyLists[kind.name]?.[param.name] ?? "";
        if (document.activeElement !== field) field.value = typed;
        el.classList.toggle("off", ignored);
        setText(now, words);
      },
    });
    return el;
  }

  /** @param {Kind} kind @param {Kind["params"][number]} param */
  function make(kind, param) {
    if (param.type === "sequences") return makeList(kind, param);
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
    /** @param {Settings} now @param {Ignored[]} ignored */
    sync(now, ignored) {
      settings = now;
      const kind = /** @type {Kind} */ (strategy(described, settings.strategy));
      const args = fullArgs(kind, settings.strategyArgs[kind.name]);
      menu.value = kind.name;
      setText(doc, kind.doc);
      setKids(signs, formula(kind.formula));
      draft.hidden = !kind.draft;
      blocks.sync(now.assistant_early_exit);
      const without = (/** @type {string} */ name) =>
        ignored.some((x) => x.place < 0 && x.name === name);
      keyed(
        box,
        kind.params,
        (p) => `${kind.name}.${p.name}`,
        (p) => make(kind, p),
        (_, p) =>
          controls.get(`${kind.name}.${p.name}`)?.sync(args[p.name], {
            on: true,
            now: without(p.name) ? t("ctl.ignoredHere") : p.doc,
            ignored: without(p.name),
          }),
      );
    },
  };
}

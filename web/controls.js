/**
 * The settings panel, made from what the engine describes: the stages by group,
 * their order, the strategy, the end of the text and the seed.
 */

import { createControl } from "./control.js";
import { h, icon, keyed, setAttr, setText } from "./dom.js";
import { value } from "./format.js";
import { createLimits } from "./limits.js";
import { createOrder } from "./order.js";
import { role } from "./rows.js";
import { defaultArgs, newStage, processor, strategy } from "./settings.js";
import { has, t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").Kind} Kind
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Stage} Stage
 * @typedef {import("./rows.js").Row} Row
 * @typedef {import("./control.js").Control} Control
 * @typedef {import("./control.js").Input} Input
 *
 * @typedef {object} Deps
 * @property {string} id makes the ids of this panel its own
 * @property {Described} described
 * @property {boolean} [seed] whether the seed is set here
 * @property {boolean} [limits] whether the end of the text is set here
 * @property {(settings: Settings, how: Input) => void} onChange
 */

const GROUPS = ["Shape", "Cut", "Repeat"];
const ONCE = { live: false, stamp: 0 };

/** @param {string} name */
const groupName = (name) => (has(`group.${name}`) ? t(`group.${name}`) : name);

/** @param {HTMLElement} root @param {Deps} deps */
export function createControls(
  root,
  { id, described, seed = true, limits: withLimits = true, onChange },
) {
  /** @type {Settings} */
  let settings;
  /** @type {Row[]} */
  let rows = [];

  /** @param {Partial<Settings>} patch @param {Input} [how] */
  function change(patch, how = ONCE) {
    settings = { ...settings, ...patch };
    sync();
    onChange(settings, how);
  }
  /** @param {string} kind @param {(s: Stage) => Stage} edit @param {Input} [how] */
  const changeStage = (kind, edit, how) =>
    change({ stages: settings.stages.map((s) => (s.kind === kind ? edit(s) : s)) }, how);

  const samples = () => strategy(described, settings.strategy)?.samples ?? true;

  /** What a stage does now, in one line.
   * @param {Stage} s @param {Kind} kind */
  function nowText(s, kind) {
    if (!s.on) return has(`off.${s.kind}`) ? t(`off.${s.kind}`) : t("off");
    if (kind.warper && !samples())
      return t("ctl.ignored", { strategy: strategy(described, settings.strategy)?.label });
    const v = s.args[s.kind];
    if (s.kind === "temperature")
      return t(
        v === 0
          ? "now.temperature.zero"
          : v < 1
            ? "now.temperature.low"
            : v > 1
              ? "now.temperature.high"
              : "now.temperature.one",
      );
    const row = rows.find((r) => r.kind === s.kind && !r.ignored);
    if (has(`now.${s.kind}`)) return t(`now.${s.kind}`, { n: v, value: value(kind.params[0], v) });
    if (!row?.on) return "";
    if (row.cut > 0) return t("now.keeps", { n: row.count, n_of: row.count + row.cut });
    return t(kind.group === "Cut" ? "now.keepsAll" : "now.cutsNone", { n: row.count });
  }

  // Stages by group -------------------------------------------------------------------------------

  /** @type {Map<string, {el: HTMLElement, sync: (s: Stage) => void}>} */
  const parts = new Map();

  /** @param {Stage} stage */
  function stagePart({ kind: name }) {
    const kind = /** @type {Kind} */ (processor(described, name));
    const onToggle = (/** @type {boolean} */ on) => changeStage(name, (s) => ({ ...s, on }));
    const numbers = kind.params.filter((p) => p.type !== "sequences");
    /** @type {Control[]} */
    const controls = numbers.map((param, i) =>
      createControl({
        id: `${id}-${name}${i ? `-${param.name}` : ""}`,
        param,
        label: i === 0 ? kind.label : param.label || param.name,
        letter: i === 0 ? kind.letter : "",
        role: role(name),
        doc: i === 0 ? kind.doc : param.doc,
        onToggle: i === 0 ? onToggle : null,
        onValue: (v, how) =>
          changeStage(name, (s) => ({ ...s, on: true, args: { ...s.args, [param.name]: v } }), how),
      }),
    );
    const lists = kind.params
      .filter((p) => p.type === "sequences")
      .map((param) => {
        const area = h("textarea", {
          class: "list",
          rows: 2,
          dir: "auto",
          spellcheck: false,
          "aria-label": `${kind.label}, ${param.label || param.name}`,
          placeholder: t("ctl.list"),
          oninput: () =>
            changeStage(name, (s) => ({
              ...s,
              on: true,
              lists: { ...s.lists, [param.name]: area.value },
            })),
        });
        return { param, area };
      });
    const bare = numbers.length ? null : toggleRow(kind, onToggle);
    const el = h(
      "div",
      { class: "stagepart", "data-kind": name },
      bare?.el,
      controls.slice(0, 1).map((c) => c.el),
      controls.length > 1
        ? h(
            "details",
            { class: "more" },
            h("summary", {}, t("ctl.more")),
            controls.slice(1).map((c) => c.el),
          )
        : null,
      lists.map((l) => h("div", { class: `ctl ${role(name)}` }, l.area)),
    );
    return {
      el,
      /** @param {Stage} s */
      sync(s) {
        const ignored = kind.warper && !samples();
        const now = nowText(s, kind);
        bare?.sync(s.on, now);
        for (const [i, p] of numbers.entries())
          controls[i].sync(s.args[p.name] ?? p.default, {
            on: s.on,
            ignored,
            now: i === 0 ? now : p.doc,
          });
        for (const { param, area } of lists)
          if (document.activeElement !== area) area.value = s.lists[param.name] ?? "";
      },
    };
  }

  /** The row of a kind that has no numbers.
   * @param {Kind} kind @param {(on: boolean) => void} onToggle */
  function toggleRow(kind, onToggle) {
    const box = h("input", {
      type: "checkbox",
      class: "switch",
      role: "switch",
      id: `${id}-${kind.name}`,
      onchange: () => onToggle(box.checked),
    });
    const now = h("p", { class: "hint" });
    const el = h(
      "div",
      { class: `ctl ${role(kind.name)}` },
      box,
      h(
        "label",
        { class: "name", htmlFor: box.id, title: kind.doc },
        h("span", { class: "sym", "aria-hidden": "true" }, kind.letter),
        kind.label,
      ),
      now,
    );
    return {
      el,
      sync: (/** @type {boolean} */ on, /** @type {string} */ text) => {
        box.checked = on;
        el.classList.toggle("off", !on);
        setText(now, text);
      },
    };
  }

  const stageBox = h("div", { class: "stagegroups" });
  const addMenu = h("select", { id: `${id}-add`, "aria-label": t("ctl.add"), onchange: add });
  const order = createOrder(described, {
    onOrder: (stages) => change({ stages }),
    onRemove: (kind) => change({ stages: settings.stages.filter((s) => s.kind !== kind) }),
  });

  function add() {
    const kind = processor(described, addMenu.value);
    addMenu.value = "";
    if (!kind) return;
    const place = (/** @type {string} */ name) =>
      described.processors.findIndex((k) => k.name === name);
    const at = settings.stages.findIndex((s) => place(s.kind) > place(kind.name));
    change({
      stages: settings.stages.toSpliced(at < 0 ? settings.stages.length : at, 0, newStage(kind)),
    });
    /** @type {HTMLElement | null | undefined} */ (
      parts.get(kind.name)?.el.querySelector("input, select, textarea")
    )?.focus();
  }

  function syncStages() {
    const names = [...new Set([...GROUPS, ...described.processors.map((k) => k.group)])];
    const of = (/** @type {string} */ group) =>
      settings.stages.filter((s) => processor(described, s.kind)?.group === group);
    keyed(
      stageBox,
      names.filter((name) => of(name).length),
      (name) => name,
      (name) =>
        h(
          "fieldset",
          { class: "group" },
          h("legend", {}, groupName(name)),
          h("div", { class: "parts" }),
        ),
      (box, name) => {
        keyed(
          /** @type {Element} */ (box.querySelector(".parts")),
          // Where the stage stands in the pipeline is shown elsewhere; here nothing moves.
          of(name).toSorted(
            (a, b) =>
              described.processors.findIndex((k) => k.name === a.kind) -
              described.processors.findIndex((k) => k.name === b.kind),
          ),
          (s) => s.kind,
          (s) => {
            const part = stagePart(s);
            parts.set(s.kind, part);
            return part.el;
          },
          (_, s) => parts.get(s.kind)?.sync(s),
        );
      },
    );
    const left = described.processors.filter(
      (k) => !settings.stages.some((s) => s.kind === k.name),
    );
    const wanted = left.map((k) => k.name).join();
    if (addMenu.dataset.left !== wanted) {
      addMenu.dataset.left = wanted;
      addMenu.replaceChildren(
        h("option", { value: "" }, t("ctl.add")),
        ...names
          .map((group) => ({ group, kinds: left.filter((k) => k.group === group) }))
          .filter((g) => g.kinds.length)
          .map(({ group, kinds }) =>
            h(
              "optgroup",
              { label: groupName(group) },
              kinds.map((k) => h("option", { value: k.name, title: k.doc }, k.label)),
            ),
          ),
      );
      addMenu.hidden = left.length === 0;
    }
    order.sync(settings.stages);
  }

  // Strategy --------------------------------------------------------------------------------------

  const strategyMenu = h(
    "select",
    { id: `${id}-strategy`, onchange: () => change({ strategy: strategyMenu.value }) },
    described.strategies.map((k) => h("option", { value: k.name }, k.label)),
  );
  const strategyDoc = h("p", { class: "hint" });
  const strategyBox = h("div", { class: "parts" });
  /** @type {Map<string, Control>} */
  const strategyParts = new Map();

  function syncStrategy() {
    const kind = /** @type {Kind} */ (strategy(described, settings.strategy));
    strategyMenu.value = kind.name;
    setText(strategyDoc, kind.doc);
    const args = { ...defaultArgs(kind), ...settings.strategyArgs[kind.name] };
    keyed(
      strategyBox,
      kind.params.filter((p) => p.type !== "sequences"),
      (p) => `${kind.name}.${p.name}`,
      (param) => {
        const control = createControl({
          id: `${id}-${kind.name}-${param.name}`,
          param,
          label: param.label || param.name,
          letter: "",
          role: "",
          doc: param.doc,
          onToggle: null,
          onValue: (v, how) => {
            const mine = settings.strategyArgs[kind.name];
            change(
              {
                strategyArgs: {
                  ...settings.strategyArgs,
                  [kind.name]: { ...mine, [param.name]: v },
                },
              },
              how,
            );
          },
        });
        strategyParts.set(`${kind.name}.${param.name}`, control);
        return control.el;
      },
      (_, p) =>
        strategyParts
          .get(`${kind.name}.${p.name}`)
          ?.sync(args[p.name], { on: true, now: p.doc, ignored: false }),
    );
  }

  // The panel -------------------------------------------------------------------------------------

  const limits = createLimits({ id, seed, onChange: (patch) => change(patch) });
  root.append(
    stageBox,
    h("div", { class: "group" }, h("div", { class: "field" }, addMenu), order.el),
    h(
      "fieldset",
      { class: "group" },
      h("legend", {}, t("group.strategy")),
      h(
        "div",
        { class: "field" },
        h("label", { htmlFor: strategyMenu.id, class: "sr" }, t("group.strategy")),
        strategyMenu,
        strategyDoc,
      ),
      strategyBox,
    ),
    ...(withLimits ? limits.els : []),
    h(
      "button",
      {
        type: "button",
        class: "btn quiet reset",
        onclick: () => change({ stages: settings.stages.map((s) => ({ ...s, on: false })) }),
      },
      icon("back"),
      t("ctl.allOff"),
    ),
  );

  function sync() {
    syncStages();
    syncStrategy();
    limits.sync(settings, strategy(described, settings.strategy));
    setAttr(root, "data-strategy", settings.strategy);
  }

  return {
    /** Shows settings, and what the rows of the picture say about them.
     * @param {Settings} now @param {Row[]} [picture] */
    update(now, picture = rows) {
      settings = now;
      rows = picture;
      sync();
    },
    /** Sets one number from elsewhere: the p line, the dock.
     * @param {string} kind @param {number} v @param {Input} how */
    set(kind, v, how) {
      changeStage(kind, (s) => ({ ...s, on: true, args: { ...s.args, [kind]: v } }), how);
    },
    /** The element of a stage.
     * @param {string} kind */
    part: (kind) => parts.get(kind)?.el,
  };
}

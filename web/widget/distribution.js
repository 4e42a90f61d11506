/** The widget's first part: two strips, one slider at a time, and a die. */

import { createBranches } from "../branches.js";
import { createControl } from "../control.js";
import { $, h, keyed, say, setAttr, setKids, setText } from "../dom.js";
import { fixed, int, stopText, value, word } from "../format.js";
import { createLatest } from "../latest.js";
import { lookAt } from "../look.js";
import { promptIds, tokenizer } from "../reader.js";
import { role } from "../rows.js";
import { processor, toWire } from "../settings.js";
import { rich, t } from "../texts.js";
import { factsOf } from "./facts.js";
import { createStrips } from "./strips.js";

/**
 * @typedef {import("./widget.js").PartDeps} PartDeps
 * @typedef {import("./widget.js").Part} Part
 * @typedef {import("../settings.js").Settings} Settings
 */

/** Settings that have a tab, in this order, before any other that is on. */
const FIRST = ["temperature", "top_k", "top_p"];
const TABS = 3;
/** Tokens that one call draws, or takes back. */
const MOST = 200;
/** Tokens that a view is asked for. */
const ROWS = 12;

/** @param {HTMLElement} root @param {PartDeps} deps @returns {Promise<Part>} */
export async function createDistribution(
  root,
  { engine, store, described, model, slider, onError, tell },
) {
  const settings = () => /** @type {Settings} */ (store.get().settings);
  const wire = async () => ({
    ...(await toWire(described, settings(), model, tokenizer(engine, model.model))),
    die: store.get().die ?? -1,
  });
  const branches = createBranches(engine, { onChange: keep, onReading: () => {} });
  const strips = createStrips(root);
  let one = slider;
  /** Whether the model has a prompt of its own: a toy, and a step that is kept. */
  const ownPrompt = model.prompt !== "";

  // The text --------------------------------------------------------------------------------------

  const given = h("span", { class: "given" });
  const drawn = h("span", { class: "drawn-tokens" });
  const slot = h("span", { class: "tok slot", "aria-hidden": "true" }, "?");
  const end = h("span", { class: "end" });
  $(".wtext", root).replaceChildren(given, drawn, " ", slot, end);

  async function open() {
    const { prompt, bos, branches: saved, die } = store.get();
    const ids = ownPrompt ? model.promptIds : await promptIds(engine, model, { prompt, bos });
    if (!ids.length && !model.toy) throw new Error(t("state.empty"));
    const opened = await branches.open(model.model, ids, { ...(await wire()), die: -1 });
    if (!opened) return;
    if (saved.length) await branches.restore(saved.slice(0, 1), 0);
    store.set({ die });
    if (die !== null) await branches.retune(await wire());
    keep();
    await draw(false);
  }

  /** What was generated, into the state: it is part of the link. */
  function keep() {
    const text = branches.branch()?.status.text ?? [];
    const before = store.get().branches[0]?.tokens.length ?? 0;
    store.set({
      branches: [{ name: "A", tokens: text.map((s) => [s.id, s.forced]) }],
      branch: 0,
      die: text.length === before ? store.get().die : null,
    });
  }

  /** @param {Promise<unknown>} act */
  async function after(act) {
    try {
      await act;
      await draw(false);
      tell("step", { tokens: branches.branch()?.status.text.length ?? 0 });
      if (branches.branch()?.status.stop) tell("end", { reason: branches.branch().status.stop });
    } catch (error) {
      onError(error);
    }
  }
  const step = () => branches.step();
  const back = (n = 1) => branches.rewind(Math.max(0, branches.branch().status.steps - n));

  const drawButton = /** @type {HTMLButtonElement} */ ($(".wdraw", root));
  const undo = /** @type {HTMLButtonElement} */ ($(".wundo", root));
  drawButton.addEventListener("click", () => after(step()));
  undo.addEventListener("click", () => after(back()));

  // The picture -----------------------------------------------------------------------------------

  /** @param {boolean} live a slider moves */
  async function draw(live) {
    const b = branches.branch();
    if (!b) return;
    const { text, stop } = b.status;
    setText(given, ownPrompt ? model.prompt : store.get().prompt);
    keyed(
      drawn,
      text,
      (s, i) => `${i}:${s.id}`,
      (s) => h("span", { class: "t" }, `${model.toy ? " " : ""}${s.text || word(s)}`),
      () => {},
    );
    slot.hidden = stop !== "";
    end.hidden = stop === "";
    setText(end, stop ? stopText(b.status) : "");
    $(".wtext", root).scrollTop = 1e6;
    drawButton.disabled = stop !== "";
    undo.disabled = b.status.steps === 0;
    sync();
    const { view } = await lookAt(engine, b.status, { step: null, rows: ROWS, searches: false });
    root.classList.toggle("moving", live);
    strips.update(view);
    const n = view.numbers.kept_count;
    const { thrown, token } = view.draw;
    const name = token < 0 ? "–" : word(view.tokens[token]);
    setKids(
      $(".wsay", root),
      rich(thrown ? "widget.die" : "widget.takes", {
        n,
        count: h("b", {}, int(n)),
        bits: h("b", {}, fixed(view.numbers.entropy, 1)),
        token: h("mark", {}, h("bdi", {}, name)),
      }),
    );
    say($(".wsay", root).textContent ?? "");
  }

  const update = createLatest(async (/** @type {{live: boolean}} */ { live }) => {
    try {
      await branches.retune(await wire());
      await draw(live);
      if (!live) tell("change");
    } catch (error) {
      onError(error);
    }
  });

  // One slider at a time --------------------------------------------------------------------------

  const tabs = $(".wtabs", root);
  /** @type {Map<string, import("../control.js").Control>} */
  const controls = new Map();

  const mainParam = (/** @type {string} */ kind) =>
    processor(described, kind)?.params.find((p) => p.name === kind && p.type !== "sequences");
  /** The settings with a tab, in the order of their stages. */
  function shown() {
    const rank = (/** @type {Settings["stages"][number]} */ s) =>
      s.kind === slider ? -1 : FIRST.includes(s.kind) ? FIRST.indexOf(s.kind) : s.on ? 3 : 4;
    const all = settings().stages.filter((s) => mainParam(s.kind));
    const best = all.toSorted((a, b) => rank(a) - rank(b)).slice(0, TABS);
    return all.filter((s) => best.includes(s));
  }

  /** @param {string} kind */
  function control(kind) {
    const known = controls.get(kind);
    if (known) return known;
    const param = /** @type {import("../api.d.ts").Param} */ (mainParam(kind));
    const made = createControl({
      id: `w-${kind}`,
      param,
      label: processor(described, kind)?.label ?? kind,
      letter: "",
      role: role(kind),
      doc: param.doc,
      onToggle: null,
      onValue(v, { live }) {
        const edit = (/** @type {Settings["stages"][number]} */ s) =>
          s.kind === kind ? { ...s, on: true, args: { ...s.args, [kind]: v } } : s;
        store.set({ settings: { ...settings(), stages: settings().stages.map(edit) } });
        update({ live });
      },
    });
    controls.set(kind, made);
    $(".wlab", root).append(made.el);
    return made;
  }

  function sync() {
    const list = shown();
    if (!list.some((s) => s.kind === one))
      one = list.find((s) => s.kind === "top_p")?.kind ?? list[0]?.kind;
    keyed(
      tabs,
      list,
      (s) => s.kind,
      (s) => {
        const kind = processor(described, s.kind);
        return h(
          "button",
          {
            type: "button",
            class: `docktab ${role(s.kind)}`,
            onclick: () => {
              one = s.kind;
              sync();
            },
          },
          h("span", { class: "sym", "aria-hidden": "true" }, kind?.letter ?? ""),
          h("span", { class: "sr" }, `${kind?.label} `),
          h("span", { class: "dv" }),
        );
      },
      (tab, s) => {
        const param = /** @type {import("../api.d.ts").Param} */ (mainParam(s.kind));
        const v = s.args[s.kind] ?? param.default;
        tab.classList.toggle("off", !s.on);
        setAttr(tab, "aria-pressed", String(s.kind === one));
        const acts = s.on && !(param.hasOff && v === param.off);
        setText($(".dv", tab), acts ? value(param, v) : t("dock.off"));
      },
    );
    for (const s of list) {
      const { el, sync: show } = control(s.kind);
      el.hidden = s.kind !== one;
      const param = /** @type {import("../api.d.ts").Param} */ (mainParam(s.kind));
      show(s.args[s.kind] ?? param.default, { on: s.on, now: "", ignored: false });
    }
  }

  await open();

  return {
    async facts() {
      const { status } = branches.branch();
      return [await factsOf(engine, described, model, { status, settings: settings() })];
    },
    async changed(patch) {
      if (patch.prompt !== undefined) await open();
      else {
        await branches.retune(await wire());
        await draw(false);
      }
    },
    async run(steps) {
      if (Math.abs(steps) > MOST) throw new Error(`run: ${steps} tokens, want -${MOST} to ${MOST}`);
      if (steps < 0) await back(-steps);
      for (let n = 0; n < steps && !branches.branch().status.stop; n++) await step();
      await after(Promise.resolve());
    },
  };
}

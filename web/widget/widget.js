/**
 * The widget: one part of the page in a frame of somebody's course notes. Until
 * the reader asks for more it is a still picture, and nothing is loaded.
 */

import { $, $$, h, icon, setAttr, setKids, setStyle, setText } from "../dom.js";
import { bytes } from "../format.js";
import { writeFragment } from "../fragment.js";
import { judged } from "../judge.js";
import { promptIds } from "../reader.js";
import { partMissing, renewed } from "../renewed.js";
import { checked, startSettings } from "../settings.js";
import { viewOfPart } from "../share/snippets.js";
import { startState } from "../state.js";
import { dir, language, t } from "../texts.js";
import { errorInWords, inWords, linkInWords } from "../wording.js";
import { readWidgetAddress } from "./address.js";
import { createHost } from "./host.js";
import { loadKept, loadModel, loadToy, offered } from "./model.js";
import { patchState, setWhole } from "./patch.js";
import { createSiblings } from "./siblings.js";
import { watchSize } from "./size.js";
import { showStill } from "./still.js";
import { createWidgetStore } from "./store.js";

/**
 * @typedef {import("../reader.js").Engine} Engine
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("../state.js").State} State
 *
 * @typedef {object} PartDeps
 * @property {Engine} engine
 * @property {ReturnType<typeof createWidgetStore>} store
 * @property {Described} described
 * @property {ModelInfo} model
 * @property {string} slider
 * @property {(error: unknown) => void} onError
 * @property {ReturnType<typeof createHost>["tell"]} tell
 *
 * @typedef {object} Part what a part gives to the host API
 * @property {() => Promise<(import("../lesson/vars.js").Facts | null)[]>} facts
 * @property {string[]} [settable] what can be set here; all, where it is not said
 * @property {typeof patchState} [patch] how that is put onto the state, where it has a way of its own
 * @property {(patch: Partial<State>) => Promise<void>} changed the state was set from outside
 * @property {(steps: number) => Promise<void>} run
 */

const address = readWidgetAddress(location.hash);
Object.assign(document.documentElement, { lang: language, dir });
document.documentElement.dataset.theme = address.theme;
document.body.dataset.part = address.part;
for (const el of $$("[data-t]")) setText(el, t(el.dataset.t ?? ""));
for (const el of $$("[data-t-label]")) setAttr(el, "aria-label", t(el.dataset.tLabel ?? ""));
for (const el of $$("[data-icon]"))
  el.prepend(icon(/** @type {Parameters<typeof icon>[0]} */ (el.dataset.icon)));

const view = viewOfPart(address.part);
const root = $(`#part-${view === "lessons" ? "lesson" : address.part}`);
root.hidden = false;
const live = $(".live");
const poster = $(".poster");
const host = createHost({ hosts: address.hosts });
watchSize(address.part, root, host.height);
const siblings = createSiblings(() => setText($("p", poster), t("widget.here")));

const store = createWidgetStore(
  { ...startState(), ...address.state, lesson: address.lesson },
  (state) => {
    const link = view === "lessons" ? `#lesson=${state.lesson}` : writeFragment({ ...state, view });
    for (const a of $$(".wopen")) setAttr(a, "href", `index.html${link}`);
  },
);
store.set({});
const clear = showStill(root, address.part);
setText($(".wtext"), store.get().prompt);

/** @param {unknown} error */
function failed(error) {
  const { message } = /** @type {Error} */ (error);
  setText($(".wproblem"), errorInWords({ message }));
  $(".wproblem").hidden = false;
  if (partMissing(error) || /** @type {any} */ (error).code === "crash") askRenewed();
  host.tell("error", { message });
}

/** Offers to load the frame anew where the host has another version by now: what
 * it does not have of this one may be what failed. */
async function askRenewed() {
  if (await renewed()) $(".wrenewed").hidden = false;
}
$(".wrenewed .reload").addEventListener("click", () => location.reload());

/** @param {Engine} engine @returns {Promise<Described>} */
async function learn(engine) {
  const described = inWords(await engine.call("describe", {}));
  const { settings, panes } = store.get();
  const good = settings ? checked(described, settings) : null;
  store.set({
    settings: good?.settings ?? startSettings(described),
    panes: panes.map((p) => ({ ...p, settings: checked(described, p.settings).settings })),
  });
  refused = [...address.refused, ...(good?.problems ?? [])];
  tellRefused();
  return described;
}

/** What of the address can't be used. @type {string[]} */
let refused = [];
function tellRefused() {
  const wrong = linkInWords(refused);
  if (wrong) failed(new Error(wrong));
}

/** Leaves out of the address what the model does not take.
 * @param {Engine} engine @param {Described} described @param {ModelInfo} model */
async function judge(engine, described, model) {
  const { settings, panes, prompt, bos } = store.get();
  if (!settings) return;
  const deps = { engine, described, model, text: { prompt, bos } };
  const { problems, ...good } = await judged(deps, { settings, panes });
  store.set(good);
  if (!problems.length) return;
  refused = [...refused, ...problems];
  tellRefused();
}

/** @param {Engine} engine */
async function load(engine) {
  if (address.toy) return loadToy(engine, address.toy);
  if (address.kept) return loadKept(engine, address.kept);
  const offer = await offered(store.get().model);
  const info = await loadModel(engine, offer, (share) => {
    setStyle($(".posterstrip .even", poster), "--w", share);
    setStyle($(".posterstrip .void", poster), "--w", 1 - share);
  });
  store.set({ model: offer.id, modelHash: info.hash.slice(0, 8) });
  siblings.ready();
  return info;
}

async function begin() {
  poster.classList.add("loading");
  $(".start", poster).hidden = true;
  setText($("p", poster), t("widget.loading"));
  try {
    const { engine } = await import("../start.js");
    engine.on("crash", failed);
    const described = await learn(engine);
    const deps = {
      engine,
      store,
      described,
      slider: address.slider,
      onError: failed,
      tell: host.tell,
    };
    /** @type {Part} */
    let part;
    /** @type {(prompt: string) => Promise<void>} throws where a prompt can't be read */
    let readable = async () => {};
    if (view === "lessons") {
      const { createLessonPart } = await import("./lesson.js");
      const alone = address.part === "step";
      part = await createLessonPart(root, { ...deps, alone, loadPage: () => load(engine) });
      clear();
    } else {
      const model = await load(engine);
      await judge(engine, described, model);
      readable = async (prompt) => {
        const ids = await promptIds(engine, model, { prompt, bos: store.get().bos });
        if (!ids.length) throw new Error("prompt: empty, want at least one token");
      };
      const create = await CREATE[address.part]();
      clear();
      part = await create(root, { ...deps, model });
    }
    poster.hidden = true;
    live.inert = false;
    host.open({
      facts: () => part.facts(),
      run: (steps) => part.run(steps),
      async set(wanted) {
        const { settable } = part;
        const other = settable && Object.keys(wanted).find((name) => !settable.includes(name));
        if (other) throw new Error(`${other}: not of this view, want ${settable.join(" or ")}`);
        if ("prompt" in wanted && (address.toy || address.kept))
          throw new Error("prompt: fixed, want a widget on a model");
        const patch = (part.patch ?? patchState)(described, store.get(), wanted);
        if (patch.prompt !== undefined) await readable(patch.prompt);
        await setWhole(store, patch, () => part.changed(patch));
        host.tell("change");
      },
    });
    host.tell("ready", { part: address.part });
  } catch (error) {
    poster.classList.remove("loading");
    $(".start", poster).hidden = false;
    const { message } = /** @type {Error} */ (error);
    setText($("p", poster), errorInWords({ message }));
    askRenewed();
    host.tell("error", { message });
  }
}

/** @type {Record<string, () => Promise<(root: HTMLElement, deps: PartDeps) => Promise<Part>>>} */
const CREATE = {
  distribution: async () => (await import("./distribution.js")).createDistribution,
  compare: async () => (await import("./views.js")).createComparePart,
  beams: async () => (await import("./views.js")).createBeamsPart,
  draws: async () => (await import("./views.js")).createDrawsPart,
};

$(".start", poster).addEventListener("click", begin);
setKids($(".start", poster), icon("play"), t("widget.start"));
$(".posterstrip", poster).append(
  h("span", { class: "piece even" }),
  h("span", { class: "piece void" }),
);
if (address.lazy) {
  if (!address.toy && !address.kept && view !== "lessons")
    offered(store.get().model).then(
      (offer) => {
        const p = $("p", poster);
        if (!p.textContent) setText(p, t("widget.loads", { size: bytes(offer.codedBytes) }));
      },
      () => {},
    );
} else begin();

/** Wires only: theme, views, the engine and its model, and what is said when something fails. */

import { createBeams } from "./beams.js";
import { createCompare } from "./compare.js";
import { $, $$, icon, setAttr, setText } from "./dom.js";
import { createDraws } from "./draws.js";
import { createExplore } from "./explore.js";
import { judged } from "./judge.js";
import { createLanguages } from "./languages.js";
import { createLessonsView } from "./lesson/view.js";
import { createModels } from "./models.js";
import { restoreNumbers } from "./numberbox.js";
import { keepOffline } from "./offline.js";
import { createPrinted } from "./printed.js";
import { createProblems } from "./problems.js";
import { ofPane } from "./readfragment.js";
import { checked, startSettings } from "./settings.js";
import { engine } from "./start.js";
import { createStore, VIEWS } from "./state.js";
import { createStateCard } from "./states.js";
import { dir, language, t } from "./texts.js";
import { createTheme } from "./theme.js";
import { inWords, linkInWords } from "./wording.js";

Object.assign(document.documentElement, { lang: language, dir });
for (const el of $$("[data-t]")) setText(el, t(el.dataset.t ?? ""));
for (const el of $$("[data-t-label]")) setAttr(el, "aria-label", t(el.dataset.tLabel ?? ""));
for (const el of $$("[data-icon]"))
  el.prepend(icon(/** @type {Parameters<typeof icon>[0]} */ (el.dataset.icon)));
createTheme($(".themebtn"));

const store = createStore();
createLanguages($(".top"), { onLeave: store.keep });
const card = createStateCard();

/** @type {Record<string, {start: Function, refresh: () => unknown, drop: () => void, pause?: () => void}>} */
let views = {};
/** @type {ReturnType<typeof createExplore> | null} */
let explore = null;
/** @type {import("./api.d.ts").Described | null} */
let known = null;
/** @type {ReturnType<typeof createCompare> | null} */
let compare = null;
/** @type {Promise<void>} */
let prepared;

const models = createModels($(".top"), {
  engine,
  onProgress: (offer, progress) => problems.loading(offer, progress),
  async onReady(info, wanted) {
    useModel(wanted);
    try {
      await prepared;
      await judge();
      card.hide();
      for (const view of Object.values(views)) view.start(info);
      show();
      keepOffline();
    } catch (error) {
      problems.failed(error);
    }
  },
  onFailed(error, offer) {
    if (models.current) useModel("");
    problems.loadFailed(error, offer);
  },
});
const problems = createProblems({
  card,
  store,
  models,
  explore: () => explore,
  note: (words) => tell("view", words),
  onRenewed() {
    tell("site", t("refused.renewed"));
    $(".linknote .reload").hidden = false;
  },
  restart() {
    for (const view of Object.values(views)) view.drop();
    models.drop();
    engine.restart();
    begin();
  },
});
engine.on("crash", (error) => {
  for (const view of Object.values(views)) view.drop();
  models.drop();
  problems.crashed(error);
});

/** The views are made while the model loads. */
function begin() {
  if (!explore) prepared = prepare();
  prepared.catch(() => {}); // told where it is waited for, or by the crash
  models.start(store.get().model);
}

/** Makes the views from what the engine describes. */
async function prepare() {
  const described = inWords(await engine.call("describe", {}));
  known = described;
  check(store.refused, true);
  const deps = { engine, store, described, onError: problems.failed };
  explore = createExplore($("#view-explore"), {
    ...deps,
    onState: problems.state,
    onCut: (cut) => tell("text", cut ? t("refused.text") : ""),
  });
  compare = createCompare($("#view-compare"), {
    ...deps,
    onPrompt: (prompt) => explore?.setPrompt(prompt),
  });
  const lessons = createLessonsView($("#view-lessons"), $("#view-lessons .statehost"), deps);
  const beams = createBeams($("#view-beams"), deps);
  const draws = createDraws($("#view-draws"), deps);
  views = { explore, compare, beams, draws, lessons };
  if (store.get().view === "lessons") lessons.refresh();
}

/** Holds the settings of the state, which may be a link's, against what the engine has.
 * @param {string[]} refused what else of the link was of no use
 * @param {boolean} fresh whether they come from outside */
function check(refused, fresh) {
  const described = /** @type {import("./api.d.ts").Described} */ (known);
  const { settings, panes } = store.get();
  const good = settings
    ? checked(described, settings)
    : { settings: startSettings(described), problems: [] };
  const goodPanes = panes.map((p) => ({ ...p, ...checked(described, p.settings) }));
  store.set({
    settings: good.settings,
    panes: goodPanes.map((p) => ({ preset: p.preset, settings: p.settings })),
  });
  const ofPanes = goodPanes.flatMap((p, i) => ofPane(i, p.problems));
  const wrong = [...refused, ...good.problems, ...ofPanes];
  if (fresh) unjudged = wrong;
  tell("link", linkInWords(wrong));
}

/** What could not be used of settings that no model has judged yet; null: one has.
 * @type {string[] | null} */
let unjudged = null;

/** Holds what a link or an older visit says against the model in use, once. */
async function judge() {
  const { settings, panes, prompt, bos } = store.get();
  const refused = unjudged;
  if (!refused || !settings || !models.current || !known) return;
  const deps = { engine, described: known, model: models.current.info, text: { prompt, bos } };
  const { problems: wrong, ...good } = await judged(deps, { settings, panes });
  if (refused !== unjudged) return; // another link was followed meanwhile
  unjudged = null;
  if (!wrong.length) return;
  store.set(good);
  tell("link", linkInWords([...refused, ...wrong]));
}

/** The model in use is the state's, whatever a link asked for; where that is
 * another one, or another version of it, its texts may differ, and that is told.
 * @param {string} wanted the id that was asked for; empty: none */
function useModel(wanted) {
  const { offer, info } = /** @type {NonNullable<typeof models.current>} */ (models.current);
  const { model, modelHash } = store.get();
  let words = "";
  if (wanted && wanted !== offer.id) words = t("refused.model", { wanted, name: info.name });
  else if (model === offer.id && !info.hash.startsWith(modelHash)) words = t("refused.version");
  tell("model", words);
  store.set({ model: offer.id, modelHash: info.hash.slice(0, 8) });
}

/** Whether a link's model is here, and another than the one in use.
 * @param {string} [wanted] */
const leads = (wanted) =>
  models.offers.some((o) => o.id === wanted) && models.current?.offer.id !== wanted;

/** Uses the model that the address names now. @param {string} [wanted] */
function followModel(wanted) {
  if (!wanted) return tell("model", "");
  if (!models.current || leads(wanted)) models.start(wanted);
  else useModel(wanted);
}

/** What is wrong with the link, in a line above all views. */
const wrong = { link: "", model: "", text: "", view: "", site: "" };
/** @param {keyof typeof wrong} about @param {string} words */
function tell(about, words) {
  wrong[about] = words;
  const note = $(".linknote");
  const all = Object.values(wrong).filter(Boolean).join(" ");
  note.hidden = all === "";
  setText($("span", note), all);
}
$(".linknote .reload").addEventListener("click", () => location.reload());
$(".linknote .dismiss").addEventListener("click", () => {
  $(".linknote .reload").hidden = true;
  for (const about of Object.keys(wrong)) tell(/** @type {keyof typeof wrong} */ (about), "");
});

/** @type {Promise<ReturnType<typeof import("./share/dialog.js").createShare>> | null} */
let share = null;
$(".sharebtn").addEventListener("click", async () => {
  try {
    share ??= import("./share/dialog.js").then(({ createShare }) =>
      createShare({
        engine,
        state: store.get,
        described: () => known,
        model: () => models.current?.info ?? null,
        step: () => explore?.at() ?? null,
        ran: () => compare?.ran() ?? null,
      }),
    );
    (await share).show();
  } catch (error) {
    share = null;
    problems.failed(error);
  }
});

createPrinted($("main"), {
  store,
  described: () => known,
  model: () => models.current?.info ?? null,
});

/** Shows the view that the state names. */
function show() {
  const { view } = store.get();
  tell("view", "");
  for (const name of VIEWS) {
    $(`#view-${name}`).hidden = name !== view;
    setAttr($(`nav a[href="#${name}"]`), "aria-current", name === view ? "page" : null);
  }
  card.moveTo($(`#view-${view} .statehost`));
  document.title = `${t(`nav.${view}`)} · ${t("page.title")}`;
  for (const [name, part] of Object.entries(views)) if (name !== view) part.pause?.();
  // Lessons run before there is a model.
  if (view === "lessons" || (models.current && view !== "explore")) views[view]?.refresh();
}

addEventListener("hashchange", async () => {
  const { state, refused } = store.readAddress();
  if (known) check(refused, Boolean(state.settings ?? state.panes));
  if (!leads(state.model)) await judge().catch(problems.failed);
  // A link to a view says nothing of the settings.
  if (Object.keys(state).some((key) => key !== "view")) restoreNumbers();
  followModel(state.model);
  if (state.settings || state.prompt !== undefined) explore?.refresh();
  if (state.panes) compare?.take();
  show();
  scrollTo(0, 0);
});

show();
problems.starting();
begin();

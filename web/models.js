/**
 * The model menu: what the site offers and what was added on this device, how
 * large each is, where it is from, and the one that is loading or in use.
 */

import { $, h, icon, keyed, setAttr, setKids, setStyle, setText } from "./dom.js";
import { dropped } from "./dropped.js";
import { bytes, duration, int, pct } from "./format.js";
import { collectGarbage } from "./garbage.js";
import { fetchOffers } from "./offers.js";
import { t } from "./texts.js";
import { noteInWords } from "./wording.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./engine.js").Progress} Progress
 *
 * @typedef {import("./engine.js").Stored} Stored
 *
 * @typedef {object} Offer a line of models/index.json, or a model that is only here
 * @property {string} id its folder
 * @property {string} name
 * @property {string} [url] where it is, if not in models/
 * @property {number} bytes decoded
 * @property {number} codedBytes over the wire
 * @property {number} n_positions
 * @property {number} bits
 * @property {string} licence
 * @property {string} source
 *
 * @typedef {object} Deps
 * @property {Engine} engine
 * @property {(offer: Offer, progress: Progress | null) => void} onProgress
 * @property {(info: ModelInfo, wanted: string) => void} onReady wanted: the id
 *   that was asked for, which may be of no model here; empty: none
 * @property {(error: any, offer: Offer | null) => void} onFailed
 */

/** @param {HTMLElement} root the header @param {Deps} deps */
export function createModels(root, { engine, onProgress, onReady, onFailed }) {
  /** @type {Offer[]} */
  let hosted = [];
  /** @type {Stored[]} */
  let stored = [];
  let hindrance = ""; // why nothing more is kept, as a model's note says it
  /** @type {{offer: Offer, abort: AbortController, progress: Progress | null} | null} */
  let loading = null;
  /** @type {{offer: Offer, info: ModelInfo, note: string} | null} */
  let current = null;

  const button = $(".modelbtn", root);
  const list = $(".modellist", root);
  const menu = $("#models", root);
  menu.addEventListener("toggle", (e) => {
    if (/** @type {ToggleEvent} */ (e).newState === "open") refresh();
    else say("");
  });
  const picker = /** @type {HTMLInputElement} */ ($(".modelfiles", root));
  $(".modeladd", root).addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    if (picker.files?.length) add([...picker.files], "");
    picker.value = ""; // the same files again are a change, too
  });
  menu.addEventListener("dragover", (e) => e.preventDefault());
  menu.addEventListener("drop", async (e) => {
    e.preventDefault();
    const { dataTransfer } = /** @type {DragEvent} */ (e);
    if (!dataTransfer?.files.length) return;
    const { files, folder } = await dropped(dataTransfer);
    add(files, folder);
  });

  const own = () => stored.filter((m) => m.url.startsWith("own:"));
  const adding = () => (loading?.offer.id === ADDING ? [loading.offer] : []);
  const offers = () => [...hosted, ...own().map(offerOf), ...adding()];

  /** @param {Offer} offer */
  const keptOf = (offer) => stored.find((m) => m.bytes > 0 && m.url === addressOf(offer));

  /** Asks what is on the device; without storage there is nothing to show. */
  async function refresh() {
    try {
      ({ models: stored, note: hindrance } = await engine.call("stored", {}));
    } catch {
      stored = [];
    }
    draw();
  }

  /** @param {Offer} offer */
  function make(offer) {
    const row = h(
      "button",
      {
        type: "button",
        class: "modelrow",
        onclick: () => (loading?.offer.id === offer.id ? loading.abort.abort() : load(offer.id)),
      },
      h("span", { class: "mark" }),
      h("span", { class: "mname" }, offer.name),
      h("span", { class: "msize num" }, bytes(offer.codedBytes)),
      h("span", { class: "mnote num" }),
      h("span", { class: "mfacts" }, factsOf(offer)),
    );
    const strip = h(
      "div",
      { class: "strip small mstrip", "aria-hidden": "true" },
      h("span", { class: "piece even" }),
      h("span", { class: "piece void" }),
    );
    const forget = h(
      "button",
      {
        type: "button",
        class: "iconbtn forget",
        "aria-label": t("model.forget", { name: offer.name }),
        title: t("model.forget", { name: offer.name }),
        onclick: async () => {
          const kept = keptOf(offer);
          if (kept) await engine.call("forget", { hash: kept.hash }).catch(() => {});
          refresh();
        },
      },
      icon("bin"),
    );
    return h("li", {}, row, forget, strip);
  }

  /** @param {Offer} offer */
  function note(offer) {
    if (loading?.offer.id === offer.id) {
      const p = loading.progress;
      if (!p) return t("model.starting");
      const share = p.loaded / p.total;
      const done = t("model.loading", { loaded: bytes(p.loaded), total: bytes(p.total), share });
      const pace = p.rate === 0 ? t("model.still") : p.left > 0 ? paceText(p) : "";
      return sentences(done, pace, noteInWords(p.note));
    }
    if (current?.offer.id === offer.id) {
      const { n_positions: context, n_layer: n } = current.info;
      return sentences(t("model.inUse", { n, context }), noteInWords(current.note));
    }
    const kept = keptOf(offer);
    if (kept?.complete) return t("model.onDevice");
    if (kept) return t("model.partly", { bytes: bytes(kept.bytes) });
    return noteInWords(hindrance) || t("model.notYet");
  }

  function draw() {
    const name = loading?.offer.name ?? current?.info.name ?? t("model.none");
    setText($(".modelname", button), name);
    const p = loading?.progress;
    setText($(".modelstate", button), loading ? (p ? pct(p.loaded / p.total, 0) : "") : "");
    setText(
      $(".modelhint", button),
      t(loading ? "model.hintLoading" : current ? "model.hintReady" : "model.hintNone"),
    );
    $(".led", button).classList.toggle("on", Boolean(current) && !loading);
    keyed(
      list,
      offers(),
      (o) => o.id,
      make,
      (el, offer) => {
        const mine = current?.offer.id === offer.id && !loading;
        const busy = loading?.offer.id === offer.id;
        setAttr($(".modelrow", el), "aria-current", mine ? "true" : null);
        setText($(".mname", el), offer.name); // the same model may be added under another name
        setKids($(".mark", el), mine ? icon("check") : busy ? icon("close") : null);
        setText($(".mnote", el), busy ? `${note(offer)} ${t("model.cancelHint")}` : note(offer));
        $(".forget", el).hidden = busy || !keptOf(offer); // what loads is cancelled first
        const strip = $(".mstrip", el);
        strip.hidden = !busy;
        const done = loading?.progress ? loading.progress.loaded / loading.progress.total : 0;
        setStyle(/** @type {HTMLElement} */ (strip.firstElementChild), "--w", done);
        setStyle(/** @type {HTMLElement} */ (strip.lastElementChild), "--w", 1 - done);
      },
    );
    const total = stored.reduce((sum, m) => sum + m.bytes, 0);
    setText(
      $(".modelhelp", root),
      total ? t("model.kept", { bytes: bytes(total) }) : t("model.private"),
    );
  }

  /** Loads a model of the list.
   * @param {string} id */
  async function load(id) {
    const all = offers();
    const offer = all.find((o) => o.id === id) ?? all[0];
    if (!offer) return onFailed(new Error(t("model.noList")), null);
    const url = offer.url ?? `models/${offer.id}/`;
    await run(offer, (options) => engine.loadModel(url, options), id);
  }

  /** Adds a model from files of this device, and loads it.
   * @param {File[]} files @param {string} folder that they lie in */
  async function add(files, folder) {
    const weights = files.find((f) => f.name.endsWith(".safetensors"));
    const name = folder || (weights ?? files[0]).name;
    const size = files.reduce((sum, f) => sum + f.size, 0);
    const facts = { n_positions: 0, bits: OWN_BITS, licence: "", source: "" };
    const offer = { id: ADDING, name, bytes: size, codedBytes: size, ...facts };
    await run(offer, (options) => engine.importModel(files, { bits: OWN_BITS, folder }, options));
    await refresh();
  }

  /**
   * Loads a model; the one in use stays until the new one is ready.
   *
   * @param {Offer} offer
   * @param {(options: NonNullable<Parameters<Engine["loadModel"]>[1]>) => Promise<ModelInfo>} start
   * @param {string} [wanted]
   */
  async function run(offer, start, wanted = "") {
    loading?.abort.abort();
    if (current) collectGarbage(); // for a while there are two models
    const mine = {
      offer,
      abort: new AbortController(),
      progress: /** @type {Progress | null} */ (null),
    };
    loading = mine;
    say("");
    draw();
    onProgress(offer, null);
    try {
      const info = await start({
        signal: mine.abort.signal,
        onProgress: (p) => {
          if (loading !== mine) return;
          mine.progress = p;
          draw();
          onProgress(offer, p);
        },
      });
      if (loading !== mine) return;
      loading = null;
      const old = current;
      const added = offer.id === ADDING;
      const taken = added ? { ...offer, id: ownID(info.hash) } : offer;
      current = { offer: taken, info, note: mine.progress?.note ?? "" };
      ended();
      onReady(info, wanted);
      if (old) engine.call("modelClose", { model: old.info.model }).catch(() => {});
    } catch (error) {
      if (loading !== mine) return;
      loading = null;
      ended();
      onFailed(error, offer);
    }
  }

  /** Shows what a load left on the device, where it can be seen. */
  function ended() {
    draw();
    if (menu.matches(":popover-open")) refresh();
  }

  /** Says in the menu what went wrong.
   * @param {string} words @returns {boolean} whether the menu is open, so that it can be read */
  function say(words) {
    const failed = $(".modelfailed", root);
    failed.hidden = words === "";
    setText(failed, words);
    return menu.matches(":popover-open");
  }

  return {
    load,
    say,
    cancel: () => loading?.abort.abort(),
    /** Fetches the list and loads the model that was in use last, else the first.
     * @param {string} wanted */
    async start(wanted) {
      try {
        if (!hosted.length) hosted = await fetchOffers();
      } catch (error) {
        await refresh();
        hosted = stored.filter((m) => m.complete && !m.url.startsWith("own:")).map(offerOf);
        if (!offers().length) return onFailed(error, null);
      }
      if (!hosted.some((o) => o.id === wanted)) await refresh(); // it may be one of this device
      draw();
      await load(wanted);
    },
    /** The engine has ended, and the model with it. */
    drop() {
      loading = null;
      current = null;
      draw();
    },
    get current() {
      return current;
    },
    get offers() {
      return offers();
    },
    open: () => menu.showPopover(),
  };
}

/** What stands for the id of a model while it is packed, and what it is then. */
const ADDING = "adding";
/** @param {string} hash */
const ownID = (hash) => `own-${hash.slice(0, 12)}`;

/** What is packed on this device keeps all that 8 bits can. */
const OWN_BITS = 8;

/** @param {Stored} m @returns {Offer} */
function offerOf({ hash, url, complete, ...facts }) {
  const folder = /\/models\/([^/]+)\/manifest\.json$/.exec(url)?.[1];
  const address = folder ? url.slice(0, -"manifest.json".length) : url;
  return { id: folder ?? ownID(hash), url: address, codedBytes: facts.bytes, ...facts };
}

/** What the store knows a model by. @param {Offer} offer */
function addressOf(offer) {
  if (offer.url?.startsWith("own:")) return offer.url;
  return new URL("manifest.json", new URL(offer.url ?? `models/${offer.id}/`, location.href)).href;
}

/** @param {string[]} all those that are empty are left out */
const sentences = (...all) => all.filter(Boolean).join(" ");

/** @param {Offer} offer */
function factsOf({ bits, n_positions: context, licence, source }) {
  const size = context ? t("model.facts", { bits: int(bits), context: int(context) }) : "";
  return [size, licence, source].filter(Boolean).join(" · ");
}

/** @param {Progress} progress */
const paceText = ({ rate, left }) => t("model.pace", { rate: bytes(rate), left: duration(left) });

/**
 * The model menu: what the site offers, how large it is, what is on this device,
 * and the one that is loading or in use.
 */

import { $, h, icon, keyed, setAttr, setKids, setStyle, setText } from "./dom.js";
import { bytes, pct } from "./format.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./engine.js").Progress} Progress
 *
 * @typedef {object} Offer a line of models/index.json
 * @property {string} id its folder
 * @property {string} name
 * @property {number} bytes decoded
 * @property {number} codedBytes over the wire
 *
 * @typedef {object} Deps
 * @property {Engine} engine
 * @property {(offer: Offer, progress: Progress | null) => void} onProgress
 * @property {(info: ModelInfo, offer: Offer) => void} onReady
 * @property {(error: any, offer: Offer | null) => void} onFailed
 */

/** @param {HTMLElement} root the header @param {Deps} deps */
export function createModels(root, { engine, onProgress, onReady, onFailed }) {
  /** @type {Offer[]} */
  let offers = [];
  /** @type {import("./engine.js").Stored[]} */
  let stored = [];
  /** @type {{offer: Offer, abort: AbortController, progress: Progress | null} | null} */
  let loading = null;
  /** @type {{offer: Offer, info: ModelInfo} | null} */
  let current = null;

  const button = $(".modelbtn", root);
  const list = $(".modellist", root);
  const menu = $("#models", root);
  menu.addEventListener("toggle", (e) => {
    if (/** @type {ToggleEvent} */ (e).newState === "open") refresh();
  });

  /** Asks what is on the device; without storage there is nothing to show. */
  async function refresh() {
    try {
      stored = (await engine.call("stored", {})).models;
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
          const kept = stored.find((m) => m.name === offer.name);
          if (kept) await engine.call("forget", { hash: kept.hash }).catch(() => {});
          refresh();
        },
      },
      icon("close"),
    );
    return h("li", {}, row, forget, strip);
  }

  /** @param {Offer} offer */
  function note(offer) {
    if (loading?.offer.id === offer.id) {
      const p = loading.progress;
      return p
        ? t("model.loading", {
            loaded: bytes(p.loaded),
            total: bytes(p.total),
            share: p.loaded / p.total,
          })
        : t("model.starting");
    }
    if (current?.offer.id === offer.id)
      return t("model.inUse", { context: current.info.n_positions, layers: current.info.n_layer });
    return stored.some((m) => m.name === offer.name && m.complete)
      ? t("model.onDevice")
      : t("model.notYet");
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
      offers,
      (o) => o.id,
      make,
      (el, offer) => {
        const mine = current?.offer.id === offer.id && !loading;
        const busy = loading?.offer.id === offer.id;
        setAttr($(".modelrow", el), "aria-current", mine ? "true" : null);
        setKids($(".mark", el), mine ? icon("check") : busy ? icon("close") : null);
        setText($(".mnote", el), busy ? `${note(offer)} ${t("model.cancelHint")}` : note(offer));
        $(".forget", el).hidden = !stored.some((m) => m.name === offer.name);
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

  /** Loads a model of the list; the one in use stays until the new one is ready.
   * @param {string} id */
  async function load(id) {
    loading?.abort.abort();
    const offer = offers.find((o) => o.id === id) ?? offers[0];
    if (!offer) return onFailed(new Error(t("model.noList")), null);
    const mine = {
      offer,
      abort: new AbortController(),
      progress: /** @type {Progress | null} */ (null),
    };
    loading = mine;
    draw();
    onProgress(offer, null);
    try {
      const info = await engine.loadModel(`models/${offer.id}/`, {
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
      current = { offer, info };
      draw();
      onReady(info, offer);
      if (old) engine.call("modelClose", { model: old.info.model }).catch(() => {});
    } catch (error) {
      if (loading !== mine) return;
      loading = null;
      draw();
      onFailed(error, offer);
    }
  }

  return {
    load,
    cancel: () => loading?.abort.abort(),
    /** Fetches the list and loads the model that was in use last, else the first.
     * @param {string} wanted */
    async start(wanted) {
      try {
        if (!offers.length) {
          const answer = await fetch("models/index.json");
          if (!answer.ok) throw new Error(t("model.listFailed", { status: answer.status }));
          offers = await answer.json();
        }
      } catch (error) {
        return onFailed(error, null);
      }
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
      return offers;
    },
    open: () => menu.showPopover(),
  };
}

/** The widget's model: the one that its address names, else the first of the site. */

import { createCatalog } from "../lesson/catalog.js";
import { fetchOffers } from "../offers.js";
import { t } from "../texts.js";

/**
 * @typedef {import("../reader.js").Engine} Engine
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("../models.js").Offer} Offer
 */

/** @param {string} wanted @returns {Promise<Offer>} */
export async function offered(wanted) {
  const offers = await fetchOffers();
  const offer = offers.find((o) => o.id === wanted) ?? offers[0];
  if (!offer) throw new Error(t("model.noList"));
  return offer;
}

/**
 * @param {Engine} engine
 * @param {Offer} offer
 * @param {(share: number) => void} onProgress
 */
export const loadModel = (engine, offer, onProgress) =>
  engine.loadModel(`models/${offer.id}/`, {
    onProgress: (p) => onProgress(p.total ? p.loaded / p.total : 0),
  });

/** A step of GPT-2 that is kept with the lessons. @param {Engine} engine @param {string} name @returns {Promise<ModelInfo>} */
export async function loadKept(engine, name) {
  const { prompt, bytes } = await createCatalog().step(name);
  return engine.call("modelStep", { name, prompt }, bytes);
}

/** A toy of the lessons. @param {Engine} engine @param {string} name @returns {Promise<ModelInfo>} */
export async function loadToy(engine, name) {
  const answer = await fetch(new URL("../lessons/toys.json", import.meta.url));
  if (!answer.ok) throw new Error(`toys.json: the host answered ${answer.status}`);
  return engine.call("modelToy", { toys: await answer.text(), name });
}

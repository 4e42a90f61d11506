/** The models that the site offers: its models/index.json. */

import { t } from "./texts.js";

/** @returns {Promise<import("./models.js").Offer[]>} */
export async function fetchOffers() {
  const answer = await fetch("models/index.json");
  if (!answer.ok) throw new Error(t("model.listFailed", { status: answer.status }));
  const list = await answer.json().catch(() => null);
  if (!Array.isArray(list)) throw new Error(t("model.listBroken"));
  return list;
}

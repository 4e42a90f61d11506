/** What is known of a session, for the state variables. */

import { toFlat } from "../lesson/flat.js";
import { lookAt } from "../look.js";
import { processor, strategy } from "../settings.js";

/**
 * @typedef {import("../reader.js").Engine} Engine
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").Draws} Draws
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("../api.d.ts").Status} Status
 * @typedef {import("../lesson/vars.js").Facts} Facts
 */

/** A host may ask for any token among so many; those of the bars are a few. */
const ROWS = 1000;

/**
 * @param {Engine} engine
 * @param {Described} described
 * @param {ModelInfo} model
 * @param {{status: Status, settings: import("../settings.js").Settings, draws?: Draws | null}} what
 * @returns {Promise<Facts>}
 */
export async function factsOf(engine, described, model, { status, settings, draws = null }) {
  const { session } = status;
  const kind = strategy(described, settings.strategy);
  const acting = settings.stages.filter(
    (s) => s.on && (!processor(described, s.kind)?.warper || kind?.samples),
  );
  const what = { step: null, rows: ROWS, searches: false };
  const view = await lookAt(engine, status, what).then(
    (at) => at.view,
    () => null, // nothing was read yet
  );
  return {
    values: toFlat(described, settings),
    order: acting.map((s) => s.kind),
    toy: model.toy,
    beams: kind?.beams ?? false,
    eos: model.eos_token_id,
    taken: 0,
    status,
    view,
    tree: kind?.beams ? await engine.call("tree", { session }) : null,
    draws,
  };
}

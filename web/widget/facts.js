/** What is known of a session, for the state variables. */

import { toFlat } from "../lesson/flat.js";
import { processor, strategy } from "../settings.js";

/**
 * @typedef {import("../reader.js").Engine} Engine
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").Draws} Draws
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("../api.d.ts").Status} Status
 * @typedef {import("../lesson/vars.js").Facts} Facts
 */

const ROWS = 50;

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
  // After the end of a text no token follows.
  const view = await engine.call("view", { session, step: -1, rows: ROWS }).catch(() => null);
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

/** A step of a text as the engine sees it: its view, and the tree of a search. */

/**
 * @typedef {import("./api.d.ts").View} View
 * @typedef {import("./api.d.ts").Status} Status
 *
 * @typedef {object} Looked
 * @property {View} view
 * @property {number | null} step the generated token whose step it is; null: the next one
 * @property {import("./api.d.ts").Node[] | null} nodes of a search
 */

/**
 * Looks at the step that is asked for. Where that is the next one and the
 * context has no room for it, it is the last one that was taken.
 *
 * @param {import("./reader.js").Engine} engine
 * @param {Status} status
 * @param {{step: number | null, rows: number, searches: boolean}} what
 * @returns {Promise<Looked>}
 */
export async function lookAt(engine, { session, text }, { step, rows, searches }) {
  const ask = (/** @type {number | null} */ at) =>
    engine.call("view", { session, step: at ?? -1, rows });
  const last = text.length - 1;
  let at = step;
  const asked = ask(at).catch((error) => {
    if (error.code !== "context_full" || at !== null || last < 0) throw error;
    at = last;
    return ask(at);
  });
  const grown = searches ? engine.call("tree", { session }) : null;
  const [view, tree] = await Promise.all([asked, grown]);
  return { view, step: at, nodes: tree?.nodes ?? null };
}

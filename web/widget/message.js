/**
 * What a page that embeds the widget may ask, as messages:
 *
 *   {type: "decoding-playground:get", id, names}   values of state variables
 *   {type: "decoding-playground:set", id, state}   prompt, settings, die, seed
 *   {type: "decoding-playground:run", id, steps}   draws so many tokens, or throws; below 0 takes them back
 *
 * and what it is told:
 *
 *   {type: "decoding-playground:answer", id, result} or {…, id, error}
 *   {type: "decoding-playground:event", name, …}   ready, change, step, end, error;
 *       of a lesson: go {lesson, step} and, once a task is solved, task {lesson, task}
 *   {type: "decoding-playground:height", height}   the height that the widget wants
 *
 * A name is that of a variable of the lessons ("nucleus_size"), or an object
 * where it wants more: {var: "prob", token: "mouse"}. A message is heard only
 * from the page right above, and only where its origin is the widget's own or
 * one that the address of the widget names as a host.
 */

/**
 * @typedef {import("../lesson/check.js").Variable} Variable
 * @typedef {string | number} ID
 *
 * @typedef {{call: "get", id: ID, names: Variable[]}} Get
 * @typedef {{call: "set", id: ID, state: Record<string, unknown>}} Set
 * @typedef {{call: "run", id: ID, steps: number}} Run
 * @typedef {{call: "bad", id: ID, error: string}} Bad
 */

export const TYPE = "decoding-playground:";
const MOST = { names: 100, steps: 1000, text: 100, keys: 60 };
const CALLS = ["get", "set", "run"];

/** @param {unknown} v @returns {v is Record<string, unknown>} */
const isObject = (v) => typeof v === "object" && v !== null && !Array.isArray(v);
/** @param {unknown} v @returns {v is string} */
const isText = (v) => typeof v === "string" && v.length <= MOST.text;

/**
 * Reads a message; null where it is not ours or not from one who may ask.
 *
 * @param {{data: unknown, origin: string, source: unknown}} event
 * @param {{parent: unknown, origins: string[]}} who
 * @returns {Get | Set | Run | Bad | null}
 */
export function readMessage({ data, origin, source }, { parent, origins }) {
  if (!source || source !== parent || !origins.includes(origin)) return null;
  if (!isObject(data) || !isText(data.type) || !data.type.startsWith(TYPE)) return null;
  const call = data.type.slice(TYPE.length);
  const { id } = data;
  if (!CALLS.includes(call) || !(isText(id) || Number.isFinite(id))) return null;
  const bad = (/** @type {string} */ error) =>
    /** @type {Bad} */ ({ call: "bad", id: /** @type {ID} */ (id), error });
  const who = { id: /** @type {ID} */ (id) };
  if (call === "get") {
    const names = readNames(data.names);
    return names
      ? { call, ...who, names }
      : bad(`names: want a list of at most ${MOST.names} names`);
  }
  if (call === "set") {
    const { state } = data;
    const good = isObject(state) && Object.keys(state).length <= MOST.keys;
    return good ? { call, ...who, state } : bad("state: want an object of settings");
  }
  const steps = Number.isInteger(data.steps) ? Number(data.steps) : Number.NaN;
  const good = Math.abs(steps) <= MOST.steps;
  return good ? { call: "run", ...who, steps } : bad(`steps: want -${MOST.steps} to ${MOST.steps}`);
}

/** @param {unknown} list @returns {Variable[] | null} */
function readNames(list) {
  if (!Array.isArray(list) || list.length > MOST.names) return null;
  const names = Array.from(list, readName); // unlike map, it meets holes
  return names.every((n) => n !== null) ? names : null;
}

/** @param {unknown} name @returns {Variable | null} */
function readName(name) {
  if (isText(name)) return { var: name };
  if (!isObject(name) || !isText(name.var)) return null;
  const { token = "", stage = "", pane = 0, n = 1 } = name;
  if (!isText(token) || !isText(stage)) return null;
  if (!Number.isInteger(pane) || !Number.isInteger(n)) return null;
  return { var: name.var, token, stage, pane: Number(pane), n: Number(n) };
}

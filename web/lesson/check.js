/** A task's predicate: comparisons of state variables, joined by all, any and not. */

/**
 * @typedef {string | number | boolean | null | undefined} Value
 *
 * @typedef {object} Variable
 * @property {string} var
 * @property {string} [token]
 * @property {number} [pane]
 * @property {number} [n]
 * @property {string} [stage]
 *
 * @typedef {Variable & {op: string, value?: Value | Value[], ref?: Variable, tolerance?: number}} Comparison
 * @typedef {Comparison | {all: Predicate[]} | {any: Predicate[]} | {not: Predicate}} Predicate
 * @typedef {(variable: Variable) => Value} Get undefined: not known now; null: known to have no value
 *
 * @typedef {object} Leaf a comparison with what it found
 * @property {Comparison} comparison
 * @property {Value} now
 * @property {Value | Value[]} want
 * @property {boolean} met
 *
 * @typedef {object} Branch
 * @property {"all" | "any" | "not"} joins
 * @property {boolean} met
 * @property {Told[]} parts
 *
 * @typedef {Leaf | Branch} Told
 */

/** How far numbers may lie apart and still be equal. */
const TOLERANCE = 1e-6;

/** @param {unknown} a @param {unknown} b @param {number} tolerance */
const equal = (a, b, tolerance) =>
  typeof a === "number" && typeof b === "number" ? Math.abs(a - b) <= tolerance : a === b;

/** @param {unknown} a @param {unknown} b @param {(a: number, b: number) => boolean} test */
const ordered = (a, b, test) => typeof a === "number" && typeof b === "number" && test(a, b);

/** @type {Record<string, (a: any, b: any, tolerance: number) => boolean>} */
const OPS = {
  "==": equal,
  "!=": (a, b, tolerance) => !equal(a, b, tolerance),
  "<": (a, b) => ordered(a, b, (x, y) => x < y),
  "<=": (a, b) => ordered(a, b, (x, y) => x <= y),
  ">": (a, b) => ordered(a, b, (x, y) => x > y),
  ">=": (a, b) => ordered(a, b, (x, y) => x >= y),
  contains: (a, b) => typeof a === "string" && typeof b === "string" && a.includes(b),
  in: (a, b, tolerance) =>
    Array.isArray(b) && b.some((/** @type {unknown} */ x) => equal(a, x, tolerance)),
};

/**
 * Says of each part of a predicate whether it is met. A comparison with
 * something that is not known is not met, whatever its operator.
 *
 * @param {Predicate} predicate
 * @param {Get} get
 * @returns {Told}
 */
export function tell(predicate, get) {
  if ("all" in predicate) {
    const parts = predicate.all.map((p) => tell(p, get));
    return { joins: "all", met: parts.every((p) => p.met), parts };
  }
  if ("any" in predicate) {
    const parts = predicate.any.map((p) => tell(p, get));
    return { joins: "any", met: parts.some((p) => p.met), parts };
  }
  if ("not" in predicate) {
    const part = tell(predicate.not, get);
    return { joins: "not", met: !part.met, parts: [part] };
  }
  const now = get(predicate);
  const want = predicate.ref ? get(predicate.ref) : predicate.value;
  const op = Object.hasOwn(OPS, predicate.op) ? OPS[predicate.op] : null;
  const known = now !== undefined && want !== undefined && want !== null;
  const met = Boolean(op && known && op(now, want, predicate.tolerance ?? TOLERANCE));
  return { comparison: predicate, now, want, met };
}

/** Whether a predicate is met.
 * @param {Predicate} predicate @param {Get} get */
export const holds = (predicate, get) => tell(predicate, get).met;

/** All variables that a predicate reads.
 * @param {Predicate} predicate @returns {Variable[]} */
export function variablesOf(predicate) {
  if ("all" in predicate) return predicate.all.flatMap(variablesOf);
  if ("any" in predicate) return predicate.any.flatMap(variablesOf);
  if ("not" in predicate) return variablesOf(predicate.not);
  return predicate.ref ? [predicate, predicate.ref] : [predicate];
}

/**
 * Checks a value against a JSON schema, and says in plain words, in the page's
 * language, where it is wrong. It knows the part of draft 2020-12 that lesson.schema.json uses. What
 * it is given may be anything: nothing of it is run, shown as markup, or looked
 * up along its prototype.
 */

import { t } from "../texts.js";

/**
 * @typedef {Record<string, any>} Schema
 *
 * @typedef {object} Problem
 * @property {string} path "tasks[0].check.all[1].op"; empty: the whole
 * @property {string} wrong what is there
 * @property {string} want what should be
 */

/** Problems that are told at most. */
const MOST = 20;
/** Characters of a value that are shown. */
const SHOWN = 40;

const own = (/** @type {object} */ o, /** @type {string} */ key) => Object.hasOwn(o, key);
const isObject = (/** @type {unknown} */ v) =>
  typeof v === "object" && v !== null && !Array.isArray(v);

/** The schema's name of a value's type. @param {unknown} v */
function typeOf(v) {
  if (v === null) return "null";
  if (Array.isArray(v)) return "array";
  if (typeof v === "number" && Number.isInteger(v)) return "integer";
  return typeof v;
}

/** A type in words. @param {string} type */
const typed = (type) => t(`schema.type.${type}`);

const TOYS = "capital, again, shifted, loop, fork, short, trap";
const STEPS = "visualize, spaceship, planet";
/** Patterns in words. @type {Record<string, string>} */
const PATTERNS = {
  "^[^<>]*$": t("schema.form.plain"),
  "^[a-z][a-z0-9-]{0,39}$": t("schema.form.id"),
  "^[a-z]{2}(-[A-Za-z]{2,4})?$": t("schema.form.language"),
  "^https://": t("schema.form.https"),
  "^(page|toy:(capital|again|shifted|loop|fork|short|trap)|step:(visualize|spaceship|planet))$": t(
    "schema.form.model",
    { toys: TOYS, steps: STEPS },
  ),
};

/** A value in a few characters. @param {unknown} v */
function brief(v) {
  if (Array.isArray(v)) return t("schema.listOf", { n: v.length });
  if (isObject(v)) return t("schema.anObject");
  const text = JSON.stringify(v) ?? String(v);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

/** @param {string} path @param {string} key */
const at = (path, key) => (path ? `${path}.${key}` : key);

/** @param {unknown[]} list */
const oneOf = (list) => t("schema.oneOf", { list: list.map((v) => JSON.stringify(v)).join(", ") });

/**
 * @param {Schema} root
 * @param {unknown} value
 * @returns {Problem[]} none where all is well
 */
export function check(root, value) {
  return within(root, root, value, "").slice(0, MOST);
}

/** @param {Schema} root @param {string} ref "#/$defs/step" @returns {Schema} */
const resolve = (root, ref) =>
  ref
    .slice(2)
    .split("/")
    .reduce((s, key) => s[key], root);

/**
 * @param {Schema} root @param {Schema} schema @param {unknown} value @param {string} path
 * @returns {Problem[]}
 */
function within(root, schema, value, path) {
  if (schema.$ref) return within(root, resolve(root, schema.$ref), value, path);
  const type = typeOf(value);
  const types = schema.type && [schema.type].flat();
  if (types && !types.includes(type) && !(type === "integer" && types.includes("number")))
    return [
      {
        path,
        wrong: brief(value),
        want: types.map(typed).join(" / "),
      },
    ];
  if (own(schema, "const") && value !== schema.const)
    return [{ path, wrong: brief(value), want: JSON.stringify(schema.const) }];
  if (schema.enum && !schema.enum.includes(value))
    return [{ path, wrong: brief(value), want: oneOf(schema.enum) }];
  const problems = [
    ...ofNumber(schema, value, path),
    ...ofString(schema, value, path),
    ...ofList(root, schema, value, path),
    ...ofObject(root, schema, value, path),
    ...(schema.allOf ?? []).flatMap((/** @type {Schema} */ s) => within(root, s, value, path)),
    ...ofBranches(root, schema, value, path),
  ];
  if (schema.if) {
    const next = within(root, schema.if, value, path).length ? schema.else : schema.then;
    if (next) problems.push(...within(root, next, value, path));
  }
  if (schema.not && !within(root, schema.not, value, path).length)
    problems.push(unwanted(schema.not, value, path));
  return problems;
}

/** @param {Schema} s @param {unknown} v @param {string} path @returns {Problem[]} */
function ofNumber(s, v, path) {
  if (typeof v !== "number") return [];
  /** @type {[string, boolean, string][]} */
  const rules = [
    ["minimum", v >= s.minimum, "schema.atLeast"],
    ["maximum", v <= s.maximum, "schema.atMost"],
    ["exclusiveMinimum", v > s.exclusiveMinimum, "schema.moreThan"],
    ["exclusiveMaximum", v < s.exclusiveMaximum, "schema.lessThan"],
  ];
  return rules
    .filter(([key, good]) => own(s, key) && !good)
    .map(([key, , words]) => ({ path, wrong: brief(v), want: t(words, { v: s[key] }) }));
}

/** @param {Schema} s @param {unknown} v @param {string} path @returns {Problem[]} */
function ofString(s, v, path) {
  if (typeof v !== "string") return [];
  const length = [...v].length;
  if (length < (s.minLength ?? 0))
    return [{ path, wrong: t("schema.empty"), want: t("schema.someText") }];
  if (length > (s.maxLength ?? Number.POSITIVE_INFINITY))
    return [
      {
        path,
        wrong: t("schema.characters", { n: length }),
        want: t("schema.atMost", { v: s.maxLength }),
      },
    ];
  if (s.pattern && !new RegExp(s.pattern, "u").test(v))
    return [
      {
        path,
        wrong: brief(v),
        want: PATTERNS[s.pattern] ?? t("schema.form.other", { form: s.pattern }),
      },
    ];
  return [];
}

/** @param {Schema} root @param {Schema} s @param {unknown} v @param {string} path @returns {Problem[]} */
function ofList(root, s, v, path) {
  if (!Array.isArray(v)) return [];
  const few = v.length < (s.minItems ?? 0);
  if (few || v.length > (s.maxItems ?? Number.POSITIVE_INFINITY))
    return [
      {
        path,
        wrong: brief(v),
        want: few ? t("schema.least", { n: s.minItems }) : t("schema.most", { n: s.maxItems }),
      },
    ];
  /** @type {Problem[]} */
  const problems = [];
  if (s.uniqueItems) {
    const seen = new Set();
    for (const [i, item] of v.entries()) {
      const key = JSON.stringify(item);
      if (seen.has(key))
        problems.push({ path: `${path}[${i}]`, wrong: brief(item), want: t("schema.twice") });
      seen.add(key);
    }
  }
  if (s.items)
    for (let i = 0; i < v.length && problems.length < MOST; i++)
      problems.push(...within(root, s.items, v[i], `${path}[${i}]`));
  return problems;
}

/** @param {Schema} root @param {Schema} s @param {unknown} v @param {string} path @returns {Problem[]} */
function ofObject(root, s, v, path) {
  if (!isObject(v)) return [];
  const object = /** @type {Record<string, unknown>} */ (v);
  const known = s.properties ?? {};
  const keys = Object.keys(object);
  /** @type {Problem[]} */
  const problems = (s.required ?? [])
    .filter((/** @type {string} */ key) => !own(object, key))
    .map((/** @type {string} */ key) => ({
      path: at(path, key),
      wrong: t("schema.missing"),
      want: hint(root, known[key]),
    }));
  if (keys.length > (s.maxProperties ?? Number.POSITIVE_INFINITY))
    problems.push({
      path,
      wrong: t("schema.entries", { n: keys.length }),
      want: t("schema.most", { n: s.maxProperties }),
    });
  for (const key of keys) {
    if (problems.length >= MOST) break;
    const inner = own(known, key) ? known[key] : s.additionalProperties;
    if (inner === false)
      problems.push({
        path: at(path, key.slice(0, SHOWN)),
        wrong: t("schema.unknown"),
        want: t("schema.oneOf", { list: Object.keys(known).join(", ") }),
      });
    else if (isObject(inner)) problems.push(...within(root, inner, object[key], at(path, key)));
  }
  return problems;
}

/** What a missing part should be. @param {Schema} root @param {Schema} [s] @returns {string} */
function hint(root, s) {
  if (!s) return t("schema.value");
  if (s.$ref) return hint(root, resolve(root, s.$ref));
  if (s.enum) return oneOf(s.enum);
  if (own(s, "const")) return JSON.stringify(s.const);
  const type = [s.type ?? (s.oneOf || s.properties ? "object" : "")].flat()[0];
  return type ? typed(type) : t("schema.value");
}

/** Of several forms the one that is meant: the one with the least wrong.
 * @param {Schema} root @param {Schema} s @param {unknown} v @param {string} path @returns {Problem[]} */
function ofBranches(root, s, v, path) {
  const branches = s.oneOf ?? s.anyOf;
  if (!branches) return [];
  const tried = branches.map((/** @type {Schema} */ b) => within(root, b, v, path));
  const good = tried.filter((/** @type {Problem[]} */ p) => !p.length).length;
  if (good === 1 || (good > 0 && s.anyOf)) return [];
  if (good > 1) return [{ path, wrong: t("schema.both"), want: forms(branches) }];
  // A form whose own key is there is the one that was meant.
  const meant = branches.findIndex((/** @type {Schema} */ b) => fits(root, b, v));
  if (meant >= 0) return tried[meant];
  if (isObject(v) && branches.every((/** @type {Schema} */ b) => b.required && !b.properties))
    return [{ path, wrong: t("schema.neither"), want: forms(branches) }];
  // Where no form's own key is there, that is the mistake, not what each form lacks.
  const marks = branches.map((/** @type {Schema} */ b) => marksOf(root, b));
  if (isObject(v) && marks.every((/** @type {string[]} */ m) => m.length)) {
    const keys = marks.flat();
    if (!keys.some((/** @type {string} */ key) => own(/** @type {object} */ (v), key)))
      return [{ path, wrong: brief(v), want: t("schema.oneOf", { list: keys.join(", ") }) }];
  }
  return tried.reduce((/** @type {Problem[]} */ a, /** @type {Problem[]} */ b) =>
    b.length < a.length ? b : a,
  );
}

/** @param {Schema[]} branches */
const forms = (branches) =>
  t("schema.oneOf", { list: branches.map((b) => (b.required ?? []).join(" + ")).join(", ") });

/** The keys that tell a form from the others.
 * @param {Schema} root @param {Schema} branch @returns {string[]} */
function marksOf(root, branch) {
  const s = branch.$ref ? resolve(root, branch.$ref) : branch;
  if (s.oneOf && !s.properties)
    return s.oneOf.flatMap((/** @type {Schema} */ b) => marksOf(root, b));
  return s.properties ? (s.required ?? []).slice(0, 1) : [];
}

/** Whether a value has what sets a form apart: its constant, or its first key.
 * @param {Schema} root @param {Schema} branch @param {unknown} v @returns {boolean} */
function fits(root, branch, v) {
  const s = branch.$ref ? resolve(root, branch.$ref) : branch;
  if (!isObject(v)) return false;
  const object = /** @type {Record<string, unknown>} */ (v);
  if (s.oneOf && !s.properties) return s.oneOf.some((/** @type {Schema} */ b) => fits(root, b, v));
  const [first] = s.required ?? [];
  if (!s.properties || !first || !own(object, first)) return false;
  const fixed = s.properties[first];
  return !own(fixed ?? {}, "const") || fixed.const === object[first];
}

/** @param {Schema} not @param {unknown} v @param {string} path @returns {Problem} */
function unwanted(not, v, path) {
  const [key] = not.required ?? [];
  return key
    ? { path: at(path, key), wrong: t("schema.pointless"), want: t("schema.leftOut") }
    : { path, wrong: brief(v), want: t("schema.other") };
}

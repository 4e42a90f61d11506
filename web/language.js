/**
 * Which language the page speaks: that of its address (?lang=de, or in the
 * fragment), else the one chosen before, else the first of the browser's that
 * there is. A choice is a link to the page in that language; its state survives.
 */

/** Their own names, in the order of the menu. */
export const LANGUAGES = /** @type {Record<string, string>} */ ({
  en: "English",
  es: "Español",
  fr: "Français",
  de: "Deutsch",
  zh: "中文",
  ar: "العربية",
});

const KEY = "decoding-playground-language";

/** The one in the address, if any. */
function addressed() {
  const { search = "", hash = "" } = globalThis.location ?? {};
  const inFragment = new URLSearchParams(hash.slice(hash.indexOf("?") + 1));
  return new URLSearchParams(search).get("lang") ?? inFragment.get("lang");
}

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** The name of a tag's language. @param {string} tag such as "de-AT" */
const bareName = (tag) => tag.toLowerCase().split("-")[0];

/** Whether the page speaks a language. @param {string} tag */
export const speaks = (tag) => Object.hasOwn(LANGUAGES, bareName(tag));

/**
 * The first of the wanted languages that there is, English if none is.
 *
 * @param {(string | null)[]} wanted tags such as "de-AT"
 */
export function pick(wanted) {
  return bareName(wanted.find((tag) => tag !== null && speaks(tag)) ?? "en");
}

export const chosen = pick([addressed(), kept(), ...(globalThis.navigator?.languages ?? [])]);

/** Its texts; null where they cannot be had.
 * @param {string} name @returns {Promise<import("./texts.js").Texts | null>} */
export async function load(name) {
  try {
    return (await import(`./texts/${name}.js`)).default;
  } catch {
    return null;
  }
}

/** Which way a language is written. @param {string} tag such as "ar" or "ar-EG" */
export const dirOf = (tag) => (/^(ar|fa|he|ur)\b/.test(tag) ? "rtl" : "ltr");

/** The locale that numbers are written in: with the digits that are typed into the page's fields.
 * @param {string} name */
export const localeOf = (name) => (name === "ar" ? "ar-u-nu-latn" : name);

/** The page's address in a language. @param {string} name */
export function addressIn(name) {
  const url = new URL(location.href);
  url.searchParams.set("lang", name);
  return url.href;
}

/** Keeps a choice for the next visit. @param {string} name */
export function keep(name) {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // The address carries it.
  }
}

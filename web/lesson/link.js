/** Links into the lessons: #lessons, #lesson=top-p, #lesson=top-p/slip, #lesson=top-p&step=slip. */

/** @typedef {{lesson: string, step: string}} Place step is empty for the start of the lesson, both for the list */

const LINK = /^#?lesson=([a-z][a-z0-9-]{0,39})(?:(?:\/|&step=)([a-z][a-z0-9-]{0,39}))?$/;

/** What a fragment points at; null: not at the lessons.
 * @param {string} hash @returns {Place | null} */
export function readLink(hash) {
  if (/^#?lessons$/.test(hash)) return { lesson: "", step: "" };
  const m = LINK.exec(hash);
  return m && { lesson: m[1], step: m[2] ?? "" };
}

/** @param {string} [lesson] @param {string} [step] */
export function link(lesson = "", step = "") {
  if (!lesson) return "#lessons";
  return `#lesson=${lesson}${step ? `/${step}` : ""}`;
}

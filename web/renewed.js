/** Whether the host has another version of the site by now than this page is of. */

/** The folder that the scripts of a version lie in. */
const FOLDER = /\bv-[0-9a-f]{6,}(?=\/)/;

/** Whether an error says that a file of the page could not be fetched.
 * @param {unknown} error */
export const partMissing = (error) =>
  /dynamically imported module|importing a module script/i.test(
    String(/** @type {any} */ (error)?.message),
  );

/** Asks the host for the page anew; false where nobody answers.
 * @returns {Promise<boolean>} */
export async function renewed() {
  const [own] = FOLDER.exec(import.meta.url) ?? [];
  try {
    const answer = await fetch(location.pathname, { cache: "no-store" });
    const [now] = FOLDER.exec(answer.ok ? await answer.text() : "") ?? [];
    return own !== undefined && now !== undefined && now !== own;
  } catch {
    return false;
  }
}

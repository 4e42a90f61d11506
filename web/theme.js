/** Light or dark: the system's until the user says otherwise. */

const KEY = "decoding-playground-theme";
const root = document.documentElement;

/** @param {HTMLElement} button */
export function createTheme(button) {
  try {
    root.dataset.theme = localStorage.getItem(KEY) ?? "auto";
  } catch {
    root.dataset.theme = "auto";
  }
  button.addEventListener("click", () => {
    const dark =
      root.dataset.theme === "dark" ||
      (root.dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = dark ? "light" : "dark";
    try {
      localStorage.setItem(KEY, root.dataset.theme);
    } catch {
      // Without storage it lasts until the page is closed.
    }
  });
}

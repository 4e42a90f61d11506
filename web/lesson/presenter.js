/** A lesson shown to a room: each key reveals one thing more, or goes on. */

/**
 * @typedef {"forward" | "back" | "leave"} Wish
 *
 * @typedef {object} Card what can be revealed of a part
 * @property {HTMLElement} el
 * @property {() => boolean} reveal one thing more; false where all is shown
 *
 * @typedef {object} Deps
 * @property {(by: number) => void} go to another part; 0: to this one anew
 * @property {() => void} leave
 */

/** @type {Map<string, Wish>} where text runs from left to right */
const KEYS = new Map([
  ["PageDown", "forward"],
  ["ArrowRight", "forward"],
  [" ", "forward"],
  ["Enter", "forward"],
  ["PageUp", "back"],
  ["ArrowLeft", "back"],
  ["Escape", "leave"],
]);
/** @type {Map<string, Wish>} */
const MIRRORED = new Map([...KEYS, ["ArrowLeft", "forward"], ["ArrowRight", "back"]]);

/** The keys that a control in focus keeps, by what it is. @type {[string, RegExp][]} */
const KEPT = [
  ["input:not([type=range]):not([type=radio]), select, textarea, [contenteditable]", /./],
  ["dialog, [popover]", /./],
  ["input[type=range], [tabindex='0']", /^(Arrow|Page)/],
  ["input[type=radio], [role=radiogroup]", /^Arrow|^ $/],
  ["a, button, summary, label, [tabindex='0']", /^ $|^Enter$/],
];

/**
 * What a key asks for; undefined: nothing, or the control in focus uses it.
 *
 * @param {Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey" | "shiftKey" | "defaultPrevented">} event
 * @param {{closest: (selector: string) => unknown} | null} target what has the focus
 * @param {boolean} mirrored the page runs from right to left
 * @returns {Wish | undefined}
 */
export function wish(event, target, mirrored) {
  const { key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
  if (defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return undefined;
  if (KEPT.some(([selector, keys]) => keys.test(key) && target?.closest(selector)))
    return undefined;
  return (mirrored ? MIRRORED : KEYS).get(key);
}

/** @param {Deps} deps */
export function createPresenter({ go, leave }) {
  const root = document.documentElement;
  let on = false;
  /** @type {Card | null} */
  let card = null;
  let revealed = 0;

  const reveal = () => {
    if (!card?.reveal()) return false;
    card.el.querySelector(".guessresult, .hints")?.scrollIntoView({ block: "nearest" });
    revealed++;
    return true;
  };
  /** @type {Record<Wish, () => void>} */
  const does = {
    forward() {
      if (!reveal()) go(1);
    },
    back() {
      const left = revealed - 1;
      go(left < 0 ? -1 : 0);
      while (revealed < left && reveal());
    },
    leave,
  };

  /** @param {KeyboardEvent} e */
  function onKey(e) {
    const target = e.target instanceof Element ? e.target : null;
    const wanted = wish(e, target, root.dir === "rtl");
    if (!wanted) return;
    e.preventDefault();
    does[wanted]();
  }
  return {
    get on() {
      return on;
    },
    /** The page gives way to the lesson, or comes back. @param {boolean} wanted */
    set(wanted) {
      on = wanted;
      root.classList.toggle("projecting", on);
      if (on) document.addEventListener("keydown", onKey);
      else document.removeEventListener("keydown", onKey);
    },
    /** What is on screen now. @param {Card | null} next */
    shows(next) {
      card = next;
      revealed = 0;
    },
  };
}

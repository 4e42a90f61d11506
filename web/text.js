/**
 * The sentence: the prompt as chips or in an editor, the generated tokens as
 * buttons, the next token as an empty slot, and the branches.
 */

import { $, h, icon, keyed, setAttr, setKids, setStyle, setText } from "./dom.js";
import { fixed, pct, show, spoken, stopText } from "./format.js";
import { limitPrompt } from "./promptlimit.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./api.d.ts").Token} Token
 * @typedef {import("./api.d.ts").Step} Step
 * @typedef {import("./api.d.ts").Round} Round
 *
 * @typedef {object} Deps
 * @property {(prompt: string) => void} onPrompt
 * @property {(bos: boolean) => void} onBos
 * @property {(step: number) => void} onSee
 * @property {(branch: number) => void} onBranch
 * @property {(branch: number) => void} onDrop forgets a branch
 */

const EXAMPLES = [
  "The cat ran after a",
  "Once upon a time",
  "The capital of France is",
  "Hello 👋 she said ",
];
/** Bits at which a token is coloured in full. */
export const SURPRISE = 9;

/** The inside of a chip: a leading space is a raised dot that copies as a space.
 * @param {{text: string, hex: string}} token */
export function inside(token) {
  const shown = show(token);
  if (!token.text) return [shown];
  const spaces = /^ +/.exec(shown)?.[0] ?? "";
  return [
    ...[...spaces].map(() => h("i", { class: "sp" }, " ")),
    ...(shown.length > spaces.length ? [shown.slice(spaces.length)] : []),
  ];
}

/** What was guessed of each token: that it was accepted, or what was rejected for it.
 * @param {Step[]} steps @param {Round[]} rounds */
function guessesOf(steps, rounds) {
  const byStep = new Map(rounds.map((r) => [r.step, r]));
  let at = 0;
  return steps.map((s, i) => {
    at = i && steps[i - 1].step === s.step ? at + 1 : 0;
    const round = byStep.get(s.step);
    return {
      accepted: round !== undefined && at < round.accepted,
      rejected: round && at === round.accepted ? round.guessed.slice(at) : [],
    };
  });
}

/** @param {HTMLElement} root @param {Deps} deps */
export function createText(root, { onPrompt, onBos, onSee, onBranch, onDrop }) {
  const given = h("span", { class: "given-tokens" });
  const drawn = h("span", { class: "drawn-tokens" });
  const slot = h(
    "span",
    { class: "tok slot" },
    h("span", { class: "sr" }, t("text.next")),
    h("span", { "aria-hidden": "true" }, "?"),
  );
  const end = h("span", { class: "end", hidden: true });
  const box = $(".text", root);
  box.append(given, drawn, slot, end);
  const key = h(
    "p",
    { class: "hint surprisekey", hidden: true },
    h("i"),
    t("text.surpriseKey", { n: SURPRISE }),
  );
  box.after(key);

  const area = /** @type {HTMLTextAreaElement} */ ($("#prompt", root));
  const editor = $(".editor", root);
  const bos = /** @type {HTMLInputElement} */ ($("#bos", root));
  const editButton = $(".editbtn", root);
  const examples = /** @type {HTMLSelectElement} */ ($("#examples", root));
  examples.append(...EXAMPLES.map((text) => h("option", { value: text }, text)));

  let prompt = "";
  let seenCount = 0;
  let branch = 0;
  const drop = h(
    "button",
    { type: "button", class: "iconbtn dropbranch", hidden: true, onclick: () => onDrop(branch) },
    icon("close"),
  );
  $(".branches", root).after(drop);

  /** @param {boolean} on */
  function edit(on) {
    editor.hidden = !on;
    box.hidden = on;
    setAttr(editButton, "aria-expanded", String(on));
    setText($(".editlabel", editButton), t(on ? "text.done" : "text.edit"));
    if (!on) return;
    area.value = prompt;
    limit.tell();
    area.focus();
    area.setSelectionRange(area.value.length, area.value.length);
  }
  editButton.addEventListener("click", () => edit(Boolean(editor.hidden)));
  const limit = limitPrompt(area);
  editor.after(limit.note); // it stays when the box is left
  area.addEventListener("input", () => onPrompt(area.value));
  area.addEventListener("keydown", (e) => {
    if (e.isComposing) return;
    if (e.key !== "Escape" && (e.key !== "Enter" || e.shiftKey)) return;
    e.preventDefault();
    edit(false);
    editButton.focus();
  });
  bos.addEventListener("change", () => onBos(bos.checked));
  examples.addEventListener("change", () => {
    if (!examples.value) return;
    edit(false);
    onPrompt(examples.value);
    examples.value = "";
  });
  $(".trim", root).addEventListener("click", () => {
    area.value = prompt.trimEnd();
    onPrompt(area.value);
    if (!editor.hidden) area.focus();
  });

  return {
    edit,

    /**
     * @param {string} text @param {boolean} startMark
     * @param {Token[] | null} tokens null: not known yet
     */
    prompt(text, startMark, tokens) {
      prompt = text;
      if (document.activeElement !== area) area.value = text;
      limit.tell();
      bos.checked = startMark;
      keyed(
        given,
        tokens ?? [{ id: -1, text, hex: "" }],
        (token, i) => (tokens ? `${i}:${token.id}` : token.text),
        (token) =>
          h(
            "span",
            {
              class: `tok prompt${token.text ? "" : " bytes"}`,
              "data-id": tokens ? token.id : null,
              title: tokens ? t("token.id", { id: token.id }) : null,
            },
            ...inside(token),
          ),
        () => {},
      );
      $(".hintspace", root).classList.toggle("shown", / $/.test(text));
    },

    /**
     * @param {Step[]} steps
     * @param {{seen: number | null, surprise: boolean, stop: string, stopDoc: string, rounds: Round[]}} how
     */
    steps(steps, { seen, surprise, stop, stopDoc, rounds }) {
      const guesses = guessesOf(steps, rounds);
      key.hidden = !surprise;
      const fresh = steps.length === seenCount + 1 ? steps.length - 1 : -1;
      seenCount = steps.length;
      keyed(
        drawn,
        steps,
        (step, i) => `${i}:${step.id}`,
        (step, i) =>
          h("button", { type: "button", dir: "auto", onclick: () => onSee(i) }, ...inside(step)),
        (el, step, i) => {
          const classes = ["tok gen"];
          if (i === seen) classes.push("seen");
          if (step.forced) classes.push("forced");
          if (step.die < 0) classes.push("sure");
          if (!step.text) classes.push("bytes");
          if (i === fresh) classes.push("fresh");
          const { accepted, rejected } = guesses[i];
          if (accepted) classes.push("guessed");
          setAttr(el, "class", classes.join(" "));
          setAttr(el, "aria-pressed", String(i === seen));
          setAttr(
            el,
            "aria-label",
            t("text.token", { token: spoken(step), n: i + 1, share: step.prob }),
          );
          const words = rejected.map((x) => show(x)).join("");
          const note = accepted
            ? t("text.accepted")
            : words && t("text.rejected", { token: words });
          setAttr(el, "title", [pct(step.prob), note].filter(Boolean).join(". "));
          setAttr(el, "data-rejected", words || null);
          if (note) setAttr(el, "aria-description", note);
          setStyle(el, "--lo", step.low);
          setStyle(el, "--hi", step.high);
          setStyle(el, "--s", surprise ? Math.min(1, step.surprise / SURPRISE) : 0);
        },
      );
      slot.hidden = seen !== null || stop !== "";
      end.hidden = stop === "";
      setText(end, stop ? stopText({ stop, stopDoc }) : "");
      if (fresh >= 0) box.scrollTop = box.scrollHeight;
    },

    /** Colours the prompt's tokens; none: as they are.
     * @param {import("./met.js").Met[]} met */
    met(met) {
      for (const [i, chip] of [.../** @type {any} */ (given.children)].entries()) {
        const known = met[i]?.surprise >= 0 ? met[i] : null;
        setStyle(chip, "--s", known ? Math.min(1, known.surprise / SURPRISE) : 0);
        const id = chip.dataset.id && t("token.id", { id: chip.dataset.id });
        const told = known && t("text.met", { bits: fixed(known.surprise, 1), n_rank: known.rank });
        setAttr(chip, "title", [id, told].filter(Boolean).join(". ") || null);
      }
    },

    /** Shows that there is nothing to continue. */
    none() {
      keyed(
        drawn,
        [],
        String,
        () => h("span"),
        () => {},
      );
      slot.hidden = end.hidden = true;
    },

    /** @param {string[]} names @param {number} current */
    branches(names, current) {
      const host = $(".branches", root);
      host.hidden = drop.hidden = names.length < 2;
      branch = current;
      for (const name of ["aria-label", "title"])
        setAttr(drop, name, t("text.branchDrop", { name: names[current] ?? "" }));
      keyed(
        host,
        names,
        (name) => name,
        (name) =>
          h(
            "button",
            {
              type: "button",
              class: "tab",
              onclick: () => onBranch([...host.children].findIndex((c) => c.textContent === name)),
            },
            icon("fork"),
            name,
          ),
        (el, name, i) => {
          setAttr(el, "aria-pressed", String(i === current));
          setAttr(el, "aria-label", t("text.branch", { name }));
        },
      );
    },

    /** Shows the slot as waiting while a prompt is read.
     * @param {string} words */
    waiting(words) {
      setKids($(".reading", root), words);
    },
  };
}

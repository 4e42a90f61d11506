/** The strategy guide, the misconceptions and the glossary. */

import { h, setKids } from "../dom.js";
import { t } from "../texts.js";
import { fromFlat } from "./flat.js";
import { link } from "./link.js";
import { inLanguage, render } from "./text.js";

/** The language that the files are written in, whichever the page speaks. */
const WRITTEN = inLanguage("en");

/**
 * @typedef {import("./catalog.js").Lesson} Lesson
 *
 * @typedef {object} Deps
 * @property {ReturnType<typeof import("./catalog.js").createCatalog>} catalog
 * @property {import("../api.d.ts").Described} described
 * @property {() => Lesson[]} lessons
 * @property {(patch: {prompt: string, settings: import("../settings.js").Settings}) => string} explore a link to Explore
 */

/** What "Try it" begins with. */
const PROMPT = "Once upon a time there was a";

/** @param {Deps} deps */
export function createGuide({ catalog, described, lessons, explore }) {
  const table = h("section", { "aria-label": t("lesson.tab.guide") });
  const beliefs = h("section", { "aria-label": t("lesson.tab.beliefs") });
  const glossary = h("section", { "aria-label": t("lesson.tab.glossary") });
  let loaded = false;

  const titleOf = (/** @type {string} */ id) => lessons().find((l) => l.id === id)?.title ?? id;
  const links = (/** @type {string[]} */ ids) =>
    ids.flatMap((id, i) => [i ? ", " : "", h("a", { href: link(id) }, titleOf(id))]);

  /** Explore with these settings. @param {Record<string, any>} flat */
  const tryLink = (flat) =>
    explore({ prompt: PROMPT, settings: fromFlat(described, { max_new_tokens: 40, ...flat }) });

  /** @param {import("./catalog.js").Guide} guide */
  function drawTable({ lead, rows, note }) {
    const heads = ["task", "strategy", "why", "go"].map((k) =>
      h(
        "th",
        { scope: "col" },
        k === "go" ? h("span", { class: "sr" }, t("lesson.guide.go")) : t(`lesson.guide.${k}`),
      ),
    );
    table.replaceChildren(
      h("p", { class: "lead", ...WRITTEN }, ...render(lead)),
      h(
        "table",
        { class: "guidetable panel" },
        h("thead", {}, h("tr", {}, heads)),
        h(
          "tbody",
          {},
          rows.map((r) =>
            h(
              "tr",
              {},
              h("th", { scope: "row", ...WRITTEN }, ...render(r.task)),
              h("td", WRITTEN, ...render(r.strategy)),
              h("td", WRITTEN, ...render(r.why)),
              h(
                "td",
                { class: "go" },
                h("a", { href: tryLink(r.settings) }, t("lesson.guide.try")),
                h("a", { href: link(r.lesson) }, t("lesson.guide.lesson")),
              ),
            ),
          ),
        ),
      ),
      h("p", { class: "hint", ...WRITTEN }, ...render(note)),
    );
  }

  /** @param {import("./catalog.js").Misconceptions} list */
  function drawBeliefs({ beliefs: all }) {
    beliefs.replaceChildren(
      h("p", { class: "lead" }, t("lesson.beliefs.lead")),
      h(
        "ol",
        { class: "beliefs" },
        all.map((b) =>
          h(
            "li",
            { class: "panel" },
            h("h2", WRITTEN, ...render(b.belief)),
            h(
              "details",
              {},
              h("summary", {}, t("lesson.beliefs.truth")),
              h("p", WRITTEN, ...render(b.truth), "."),
              h("p", { class: "num", ...WRITTEN }, ...render(b.example), "."),
              h(
                "p",
                { class: "hint" },
                `${t("lesson.beliefs.seen")} `,
                h("bdi", WRITTEN, ...render(b.seen)),
              ),
            ),
            h("p", { class: "hint" }, `${t("lesson.beliefs.lesson")} `, ...links(b.lessons)),
          ),
        ),
      ),
    );
  }

  /** @param {import("./catalog.js").Glossary} words */
  function drawGlossary({ terms, note }) {
    const list = h("dl", { class: "glossary panel" });
    const none = h("p", { class: "hint", role: "status" });
    const entries = terms.map((x) => ({
      text: `${x.term} ${x.text}`.toLowerCase(),
      el: h("div", WRITTEN, h("dt", {}, x.term), h("dd", {}, ...render(x.text))),
    }));
    const field = h("input", {
      type: "text",
      id: "glossary-find",
      autocomplete: "off",
      oninput() {
        const wanted = field.value.trim().toLowerCase();
        for (const e of entries) e.el.hidden = !e.text.includes(wanted);
        const left = entries.filter((e) => !e.el.hidden).length;
        setKids(none, left ? "" : t("lesson.glossary.none", { words: field.value }));
      },
    });
    list.append(...entries.map((e) => e.el));
    glossary.replaceChildren(
      h("label", { class: "find", htmlFor: field.id }, t("lesson.glossary.find"), field),
      list,
      none,
      h("p", { class: "hint", ...WRITTEN }, ...render(note)),
    );
  }

  return {
    table,
    beliefs,
    glossary,
    /** Fetches what is shown, once. */
    async load() {
      if (loaded) return;
      loaded = true;
      try {
        const [rows, list, words] = await Promise.all([
          catalog.guide(),
          catalog.misconceptions(),
          catalog.glossary(),
        ]);
        drawTable(rows);
        drawBeliefs(list);
        drawGlossary(words);
      } catch (error) {
        loaded = false;
        const told = t("lesson.failed", { message: /** @type {Error} */ (error).message });
        for (const part of [table, beliefs, glossary])
          setKids(part, h("p", { class: "notice" }, told));
      }
    },
  };
}

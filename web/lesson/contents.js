/** The lessons in the margin, with what is done. */

import { $, h, icon, keyed, setAttr, setKids, setStyle, setText } from "../dom.js";
import { t } from "../texts.js";
import { link } from "./link.js";

/**
 * @typedef {import("./catalog.js").Lesson} Lesson
 * @typedef {import("./progress.js").Progress} Progress
 */

/** @param {{progress: Progress}} deps */
export function createContents({ progress }) {
  const have = h("span", { class: "piece even" });
  const now = h("span", { class: "piece chosen" });
  const rest = h("span", { class: "piece void" });
  const count = h("span", { class: "num" });
  const strip = h("span", { class: "strip small", "aria-hidden": "true" }, have, now, rest);
  const list = h("ol", { class: "lessonlist" });
  const el = h(
    "nav",
    { class: "lessonside", "aria-label": t("lesson.contents") },
    h("p", { class: "prog" }, h("a", { href: link() }, t("lesson.all")), count, strip),
    list,
  );

  return {
    el,
    /** @param {Lesson[]} lessons @param {string} current */
    draw(lessons, current) {
      const done = lessons.filter((l) => progress.share(l).done).length;
      const open = lessons.length - done;
      setText(count, t("lesson.doneOf", { n: done, n_of: lessons.length }));
      setStyle(have, "--w", done / lessons.length);
      setStyle(now, "--w", open ? 1 / lessons.length : 0);
      setStyle(rest, "--w", Math.max(0, open - 1) / lessons.length);
      have.hidden = done === 0;
      now.hidden = open === 0;
      keyed(
        list,
        lessons,
        (l) => l.id,
        (l) =>
          h(
            "li",
            {},
            h(
              "a",
              { href: link(l.id) },
              h("span", { class: "mark", "aria-hidden": "true" }),
              h("span", { class: "title", dir: "auto" }, l.title),
              h("span", { class: "sr" }),
            ),
          ),
        (li, l) => {
          const { done: all, started } = progress.share(l);
          const here = l.id === current;
          setAttr(li, "class", here ? "now" : all ? "done" : started ? "begun" : "");
          setAttr($("a", li), "aria-current", here ? "page" : null);
          setKids($(".mark", li), all ? icon("check") : String(l.number));
          setText($(".sr", li), all ? t("lesson.doneMark") : "");
          if (here) keepInView(list, li);
        },
      );
    },
  };
}

/** Scrolls the list, not the page. @param {HTMLElement} list @param {Element} item */
function keepInView(list, item) {
  const [box, own] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  if (own.left < box.left || own.right > box.right) list.scrollLeft += own.left - box.left - 16;
}

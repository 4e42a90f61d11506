/** The stages in the order they act, moved by buttons or by Alt and an arrow. */

import { $, h, icon, keyed, setAttr, setText } from "./dom.js";
import { role } from "./rows.js";
import { processor, stageKey } from "./settings.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./settings.js").Stage} Stage
 * @typedef {import("./api.d.ts").Described} Described
 */

/**
 * @param {Described} described
 * @param {{onOrder: (stages: Stage[]) => void}} deps
 */
export function createOrder(described, { onOrder }) {
  /** @type {Stage[]} */
  let stages = [];
  const list = h("ol", { class: "orderlist" });
  const known = described.orders.map((order) => ({
    order,
    button: h(
      "button",
      {
        type: "button",
        class: "btn",
        title: order.doc,
        onclick: () => onOrder(sorted(order.kinds)),
      },
      order.label,
    ),
  }));
  const el = h(
    "details",
    { class: "order" },
    h("summary", {}, t("order.title")),
    h("p", { class: "hint" }, t("order.doc")),
    list,
    h(
      "div",
      { class: "acts" },
      known.map((k) => k.button),
    ),
  );

  /** The stages in an order; what it does not name stays behind what it stood behind.
   * @param {string[]} kinds */
  function sorted(kinds) {
    const named = stages
      .filter((s) => kinds.includes(s.kind))
      .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
    return stages.map((s) => (kinds.includes(s.kind) ? /** @type {Stage} */ (named.shift()) : s));
  }

  /** Where a stage stands now. @param {string} key */
  const placeOf = (key) => stages.findIndex((_, i) => stageKey(stages, i) === key);

  /** @param {string} key @param {number} by */
  function move(key, by) {
    const from = placeOf(key);
    const to = from + by;
    if (to < 0 || to >= stages.length) return;
    const moved = stages[from];
    const next = stages.toSpliced(from, 1);
    next.splice(to, 0, moved);
    const now = stageKey(next, to);
    const dir = by < 0 ? "up" : "down";
    onOrder(next);
    // The row was moved, so its button lost the focus; at an end the other one gets it.
    const row = list.querySelector(`[data-key="${CSS.escape(now)}"]`);
    /** @type {HTMLElement | null | undefined} */ (
      row?.querySelector(`.${dir}:not(:disabled), .up:not(:disabled), .down:not(:disabled)`)
    )?.focus();
  }

  /** @param {Stage} s @param {number} index */
  function make(s, index) {
    const key = stageKey(stages, index);
    const label = processor(described, s.kind)?.label ?? s.kind;
    const button = (
      /** @type {string} */ cls,
      /** @type {"up" | "down" | "copy" | "close"} */ sign,
      /** @type {string} */ name,
      /** @type {() => void} */ onclick,
    ) =>
      h(
        "button",
        { type: "button", class: `iconbtn ${cls}`, "aria-label": name, title: name, onclick },
        icon(sign),
      );
    const row = h(
      "li",
      { "data-key": key },
      h("span", { class: "n place" }),
      h(
        "span",
        { class: "sym", "aria-hidden": "true" },
        processor(described, s.kind)?.letter ?? "",
      ),
      h("span", { class: "grow" }, label),
      button("up", "up", t("order.up", { label }), () => move(key, -1)),
      button("down", "down", t("order.down", { label }), () => move(key, 1)),
      button("twice", "copy", t("order.duplicate", { label }), () => {
        const at = placeOf(key);
        onOrder(stages.toSpliced(at + 1, 0, structuredClone(stages[at])));
      }),
      button("away", "close", t("order.remove", { label }), () =>
        onOrder(stages.toSpliced(placeOf(key), 1)),
      ),
    );
    row.addEventListener("keydown", (e) => {
      const by = e.altKey ? { ArrowUp: -1, ArrowDown: 1 }[e.key] : undefined;
      if (!by) return;
      e.preventDefault();
      move(key, by);
    });
    return row;
  }

  return {
    el,
    /** @param {Stage[]} now */
    sync(now) {
      stages = now;
      keyed(
        list,
        stages,
        (_, i) => stageKey(stages, i),
        make,
        (row, s, i) => {
          setAttr(row, "class", `${role(s.kind)}${s.on ? "" : " off"}`);
          setText($(".place", row), String(i + 1));
          $(".up", row).toggleAttribute("disabled", i === 0);
          $(".down", row).toggleAttribute("disabled", i === stages.length - 1);
        },
      );
      for (const { order, button } of known)
        setAttr(
          button,
          "aria-pressed",
          String(sorted(order.kinds).every((s, i) => s === stages[i])),
        );
    },
  };
}

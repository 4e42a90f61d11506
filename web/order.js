/** The stages in the order they act, moved by buttons or by Alt and an arrow. */

import { $, h, icon, keyed, setAttr, setText } from "./dom.js";
import { role } from "./rows.js";
import { processor } from "./settings.js";
import { t } from "./texts.js";

/**
 * @typedef {import("./settings.js").Stage} Stage
 * @typedef {import("./api.d.ts").Described} Described
 */

/**
 * @param {Described} described
 * @param {{onOrder: (stages: Stage[]) => void, onRemove: (kind: string) => void}} deps
 */
export function createOrder(described, { onOrder, onRemove }) {
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

  /** @param {string} kind @param {number} by */
  function move(kind, by) {
    const from = stages.findIndex((s) => s.kind === kind);
    const to = from + by;
    if (to < 0 || to >= stages.length) return;
    const next = stages.toSpliced(from, 1);
    next.splice(to, 0, stages[from]);
    const dir = by < 0 ? "up" : "down";
    onOrder(next);
    // The row was moved, so its button lost the focus; at an end the other one gets it.
    const row = list.querySelector(`[data-kind="${CSS.escape(kind)}"]`);
    /** @type {HTMLElement | null | undefined} */ (
      row?.querySelector(`.${dir}:not(:disabled), .up:not(:disabled), .down:not(:disabled)`)
    )?.focus();
  }

  /** @param {Stage} s */
  function make(s) {
    const label = processor(described, s.kind)?.label ?? s.kind;
    const button = (
      /** @type {string} */ cls,
      /** @type {"up" | "down" | "close"} */ sign,
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
      { "data-kind": s.kind },
      h("span", { class: "n place" }),
      h(
        "span",
        { class: "sym", "aria-hidden": "true" },
        processor(described, s.kind)?.letter ?? "",
      ),
      h("span", { class: "grow" }, label),
      button("up", "up", t("order.up", { label }), () => move(s.kind, -1)),
      button("down", "down", t("order.down", { label }), () => move(s.kind, 1)),
      button("away", "close", t("order.remove", { label }), () => onRemove(s.kind)),
    );
    row.addEventListener("keydown", (e) => {
      const by = e.altKey ? { ArrowUp: -1, ArrowDown: 1 }[e.key] : undefined;
      if (!by) return;
      e.preventDefault();
      move(s.kind, by);
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
        (s) => s.kind,
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

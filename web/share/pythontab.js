/** The same decoding in Python. */

import { h } from "../dom.js";
import { tokenizer } from "../reader.js";
import { toWire } from "../settings.js";
import { t } from "../texts.js";
import { failureInWords } from "../wording.js";
import { copyButton } from "./copy.js";
import { pythonCode } from "./python.js";

/** @param {import("./dialog.js").Source} source @returns {import("./dialog.js").Tab} */
export function pythonTab({ engine, state, described, model }) {
  const code = h("textarea", {
    class: "code",
    readOnly: true,
    rows: 16,
    "aria-label": t("share.python"),
  });
  return {
    el: h(
      "div",
      { class: "sharebody" },
      h("p", {}, t("share.pythonDoc")),
      code,
      h("div", { class: "acts" }, copyButton(code)),
    ),
    async open() {
      const { prompt, bos, settings, branches, branch } = state();
      const kinds = described();
      const info = model();
      if (!kinds || !info || !settings) {
        code.value = t("share.noModel");
        return;
      }
      try {
        const lists = tokenizer(engine, info.model);
        code.value = pythonCode(kinds, {
          prompt,
          bos,
          settings: await toWire(kinds, settings, info, lists),
          model: info,
          byHand: branches[branch]?.tokens.some(([, forced]) => forced) ?? false,
        });
      } catch (error) {
        code.value = failureInWords(error);
      }
    },
  };
}

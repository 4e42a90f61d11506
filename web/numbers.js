/** The four numbers of a step, each with the model's own below it. */

import { $, setText } from "./dom.js";
import { fixed, int } from "./format.js";
import { t } from "./texts.js";

/** @typedef {import("./api.d.ts").View} View */

/** @param {HTMLElement} root */
export function createNumbers(root) {
  /** @param {string} name @param {string} value @param {string} unit @param {string} below */
  const put = (name, value, unit, below) => {
    const box = $(`[data-num="${name}"]`, root);
    setText($(".v", box), value);
    setText($(".u", box), unit);
    setText($(".s", box), below);
  };

  return {
    /** @param {View} view */
    update({ numbers: n, stages }) {
      put(
        "nucleus",
        int(n.nucleus_size),
        t("unit.tokens", { n: n.nucleus_size }),
        t("num.of", { n: stages[0].count }),
      );
      put(
        "mass",
        fixed(100 * n.kept_mass, 1),
        "%",
        t("num.modelMass", { mass: n.model_kept_mass }),
      );
      put(
        "entropy",
        fixed(n.entropy),
        t("unit.bits"),
        t("num.model", { value: fixed(n.model_entropy) }),
      );
      put(
        "choices",
        fixed(n.kept_count > 0 ? n.effective_choices : 0, 1),
        "",
        t("num.model", { value: fixed(n.model_choices, 1) }),
      );
    },
  };
}

/** Which pictures a view is made of. */

import { barsBlock, cascadeBlock, curveBlock, numbersBlock, tableBlock } from "./blocks.js";
import { logitsBlock } from "./logits.js";
import { searchBlock } from "./search.js";
import { stripsBlock } from "./strips.js";
import { surpriseBlock } from "./surprise.js";
import { throwsBlock } from "./throws.js";

/**
 * @typedef {import("./blocks.js").Block} Block
 * @typedef {import("./blocks.js").Context} Context
 */

/** @param {string} view @param {Context} c @param {boolean} toy @returns {Block[]} */
export function blocksOf(view, c, toy) {
  const { show, edit_logits: edit } = c.part.display ?? {};
  if (view === "distribution" && toy && (edit || show === "logits" || show === "both"))
    return show === "logits" ? [logitsBlock(c)] : [logitsBlock(c), numbersBlock()];
  switch (view) {
    case "cumulative":
      return [stripsBlock(c), ...(toy ? [] : [curveBlock(c)]), numbersBlock()];
    case "stages":
      return [cascadeBlock(), numbersBlock()];
    case "table":
      return [tableBlock()];
    case "text":
      return [barsBlock(c)];
    case "surprise":
      return [surpriseBlock(c)];
    case "draws":
      return [stripsBlock(c, { plain: true }), throwsBlock(c)];
    case "beams":
      return [searchBlock(c)];
    case "compare":
      return [stripsBlock(c, { plain: true })];
    default:
      return [barsBlock(c), numbersBlock()];
  }
}

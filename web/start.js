/** Starts the engine before the styles and the rest of the page's code are there. */

import { createEngine } from "./engine.js";

export const engine = createEngine();

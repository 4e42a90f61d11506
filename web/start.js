/** Starts the engine before the rest of the page's code is there. */

import { createEngine } from "./engine.js";

export const engine = createEngine();

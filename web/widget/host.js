/** The widget's side of the host API; message.js says what is said. */

import { readVariable } from "../lesson/vars.js";
import { readMessage, TYPE } from "./message.js";

/**
 * @typedef {import("../lesson/vars.js").Facts} Facts
 *
 * @typedef {object} Hands what the API can do with the part on screen
 * @property {() => Promise<(Facts | null)[]>} facts
 * @property {(wanted: Record<string, unknown>) => Promise<void>} set
 * @property {(steps: number) => Promise<void>} run
 */

/** Nobody waits for the height to be secret, and the frames' common standard says it to all. */
const ANYONE = "*";

/** @param {{hosts: string[]}} options */
export function createHost({ hosts }) {
  const origins = [location.origin, ...hosts];
  const parent = window.parent === window ? null : window.parent;
  /** @type {Hands | null} */
  let hands = null;
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve();

  /** The page above, where it may hear what happens here. */
  const above = origins.includes(parentOrigin()) ? parentOrigin() : "";

  /** @param {object} message @param {string} to */
  const send = (message, to) => to && parent?.postMessage(message, to);

  /** @param {import("./message.js").Get | import("./message.js").Set | import("./message.js").Run | import("./message.js").Bad} asked */
  async function answer(asked) {
    if (asked.call === "bad") throw new Error(asked.error);
    if (!hands) throw new Error("the widget has not started");
    if (asked.call === "get") {
      const facts = await hands.facts();
      return asked.names.map((name) => plain(readVariable(facts, name)));
    }
    if (asked.call === "set") await hands.set(asked.state);
    else await hands.run(asked.steps);
    return null;
  }

  addEventListener("message", (event) => {
    const asked = readMessage(event, { parent, origins });
    if (!asked) return;
    // One after the other: an answer is about the state that it was asked in.
    queue = queue.then(async () => {
      const message = { type: `${TYPE}answer`, id: asked.id };
      try {
        send({ ...message, result: await answer(asked) }, event.origin);
      } catch (error) {
        send({ ...message, error: /** @type {Error} */ (error).message }, event.origin);
      }
    });
  });

  let told = 0;
  return {
    /** From now on there is something to ask. @param {Hands} part */
    open(part) {
      hands = part;
    },
    /** @param {"ready" | "change" | "step" | "end" | "go" | "task" | "error"} name @param {object} [more] */
    tell: (name, more = {}) => send({ type: `${TYPE}event`, name, ...more }, above),
    /** The height that the widget wants, px. @param {number} height */
    height(height) {
      if (height === told) return;
      told = height;
      send({ type: `${TYPE}height`, height }, ANYONE);
      send({ subject: "lti.frameResize", height }, ANYONE);
    },
  };
}

/** The origin of the page above; empty where the browser does not say. */
function parentOrigin() {
  const [first] = location.ancestorOrigins ?? [];
  if (first) return first;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : "";
}

/** What can be sent: a value that is not there is null. @param {unknown} v */
const plain = (v) => (v === undefined || (typeof v === "number" && !Number.isFinite(v)) ? null : v);

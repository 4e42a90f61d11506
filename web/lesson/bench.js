/**
 * A bench: one model, one prompt, one session with its settings, on which a
 * lesson works. It knows nothing of the page's elements.
 */

import { readPrompt } from "../reader.js";
import { processor, strategy, toWire } from "../settings.js";
import { afterTaken, fromFlat, toFlat } from "./flat.js";
import { logitsAfter, withLogits } from "./toy.js";

/**
 * @typedef {import("../api.d.ts").Described} Described
 * @typedef {import("../api.d.ts").Draws} Draws
 * @typedef {import("../api.d.ts").Methods} Methods
 * @typedef {import("../api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("../api.d.ts").Status} Status
 * @typedef {import("../api.d.ts").Tree} Tree
 * @typedef {import("../api.d.ts").View} View
 * @typedef {import("../settings.js").Settings} Settings
 * @typedef {import("../reader.js").Engine} Engine
 * @typedef {import("./toy.js").Toys} Toys
 * @typedef {import("./vars.js").Facts} Facts
 *
 * @typedef {<M extends keyof Methods>(method: M, params: Methods[M]["params"], bytes?: Uint8Array) => Promise<Methods[M]["result"]>} Call
 *
 * @typedef {object} Setup of a step, a task or a pane of one
 * @property {string} model page, toy:NAME or step:NAME
 * @property {string} [prompt] of the page's model
 * @property {string[]} [taken]
 * @property {Record<string, any>} settings flat
 * @property {string[]} [shown] stages that are there, switched off
 *
 * @typedef {object} Deps
 * @property {Call} call
 * @property {Described} described
 * @property {Toys} toys
 * @property {(name: string) => Promise<import("./catalog.js").StoredStep>} storedStep
 * @property {ModelInfo | null} page the page's model
 */

/** Tokens of a text of one's own that are looked at. */
const OWN = 200;
const TOY = "toy:";

/** Whether a setup needs the page's model. @param {{model: string}} setup */
export const wantsPage = ({ model }) => model === "page";
/** Whether a setup stands on a toy. @param {{model: string}} setup */
export const isToy = ({ model }) => model.startsWith(TOY);

/** @param {Deps} deps @param {Setup} setup */
export function createBench({ call, described, toys, storedStep, page }, setup) {
  const [, name = ""] = setup.model.split(":");
  const own = !wantsPage(setup); // a model of this bench alone
  const toyName = isToy(setup) ? name : "";
  const taken = setup.taken ?? [];
  const after = taken.at(-1) ?? "";
  /** @type {Settings} */
  let settings = fromFlat(described, setup.settings, setup.shown);
  /** @type {number | null} the die of the next step, set by hand */
  let die = setup.settings.die ?? null;
  /** @type {number[] | null} edited logits of the first new token */
  let edited = null;
  /** @type {ModelInfo | null} */
  let model = null;
  /** @type {Status | null} */
  let status = null;
  /** @type {Draws | null} */
  let draws = null;
  let prompt = setup.prompt ?? "";

  const info = () => /** @type {ModelInfo} */ (model);
  const now = () => /** @type {Status} */ (status);
  const session = () => now().session;
  const fresh = () => now().text.slice(taken.length);

  /** @param {string} text */
  const tokenize = async (text) =>
    (await call("tokenize", { model: info().model, text, bos: false })).tokens.map((t) => t.id);

  async function wire() {
    const sent = await toWire(described, settings, info(), tokenize);
    return { ...afterTaken(sent, taken.length), die: die ?? -1 };
  }

  async function open() {
    const old = { model, status };
    if (toyName) {
      const file = edited ? withLogits(toys, toyName, after, edited) : toys;
      model = await call("modelToy", { toys: JSON.stringify(file), name: toyName });
    } else if (own) {
      const { prompt: text, bytes } = await storedStep(name);
      model = await call("modelStep", { name, prompt: text }, bytes);
    } else if (page) model = page;
    else throw new Error("the page's model is not there yet");
    const ids = own ? info().promptIds : await tokenize(prompt);
    let next = await readPrompt(/** @type {Engine} */ ({ call }), {
      model: info().model,
      ids,
      settings: await wire(),
    });
    for (const text of taken) {
      const [id, ...more] = await tokenize(text);
      if (id === undefined || more.length) throw new Error(`taken: "${text}", want one token`);
      next = await call("force", { session: next.session, id });
    }
    // A die set by hand is for the first new token, not for those taken.
    if (taken.length && die !== null)
      next = await call("retune", { session: next.session, settings: await wire() });
    status = next;
    draws = null;
    await drop(old);
  }

  /** Begins anew with another prompt, or other logits; where that is refused, the
   * bench stays as it was. @param {{prompt?: string, edited?: number[] | null}} other */
  async function anew(other) {
    const before = { prompt, edited, model, status };
    ({ prompt, edited } = { ...before, ...other });
    try {
      await open();
    } catch (error) {
      const made = model === before.model ? null : model;
      ({ prompt, edited, model, status } = before);
      await drop({ model: made, status: null }).catch(() => {});
      throw error;
    }
  }

  /** @param {{model: ModelInfo | null, status: Status | null}} old */
  async function drop(old) {
    if (old.status) await call("close", { session: old.status.session });
    if (old.model && own) await call("modelClose", { model: old.model.model });
  }

  /** Takes n steps back. @param {number} n what is left */
  async function rewind(n) {
    status = await call("rewind", { session: session(), steps: n });
    draws = null;
  }

  return {
    open,
    get settings() {
      return settings;
    },
    get die() {
      return die;
    },
    get status() {
      return now();
    },
    get model() {
      return info();
    },
    /** The prompt as it is shown. */
    get prompt() {
      return own ? info().prompt : prompt;
    },
    get vocab() {
      return toys.vocab;
    },
    get taken() {
      return taken.length;
    },
    /** Whether the session is there. */
    get ready() {
      return status !== null;
    },
    /** The logits that the first new token is chosen with; of toys. */
    get logits() {
      return edited ?? logitsAfter(toys, toyName, after);
    },

    /**
     * Changes the settings. What was generated is generated anew, as far as it
     * was, unless a token was taken by hand: then they act from here on.
     *
     * @param {Settings} next
     * @returns {Promise<{steps: number, all: boolean}>} how far the text had come
     */
    async set(next) {
      const before = settings;
      settings = next;
      const come = { steps: now().steps, all: now().stop !== "" };
      const again = come.steps > taken.length && !fresh().some((s) => s.forced);
      try {
        const tuned = await wire();
        if (again) await rewind(taken.length);
        status = await call("retune", { session: session(), settings: tuned });
      } catch (error) {
        settings = before;
        throw error;
      }
      draws = null;
      return again ? come : { steps: now().steps, all: false };
    },

    /** Sets the die of the next step; null: it comes from the seed. @param {number | null} v */
    async setDie(v) {
      die = v;
      status = await call("retune", { session: session(), settings: await wire() });
      draws = null;
    },

    /** Gives a toy other logits for the first new token; null: its own. The text begins anew.
     * @param {number[] | null} row */
    setLogits: (row) => anew({ edited: row }),

    /** Begins anew after another prompt, of the page's model. @param {string} text */
    setPrompt: (text) => anew({ prompt: text }),

    /** Takes a text as it stands, token by token, to look at; its first token is the prompt.
     * @param {string} text */
    async read(text) {
      const [first, ...rest] = (await tokenize(text)).slice(0, OWN);
      const { tokens } = await call("tokenTexts", { model: info().model, ids: [first] });
      await anew({ prompt: tokens[0].text });
      for (const id of rest) status = await call("force", { session: session(), id });
    },

    /** Takes the status after a step. @param {Status} next */
    accept(next) {
      if (next.steps !== now().steps) die = null;
      status = next;
      draws = null;
    },

    /** Takes a token by hand. @param {number} id @param {number} [at] after so many steps */
    async take(id, at = now().steps) {
      if (at < now().steps) await rewind(at);
      this.accept(await call("force", { session: session(), id }));
    },

    /** The token that a text is, after a space or as it stands; how many it is where it is not one.
     * @param {string} text */
    async tokenOf(text) {
      const spaced = await tokenize(` ${text}`);
      const plain = spaced.length === 1 ? spaced : await tokenize(text);
      return { id: plain.length === 1 ? plain[0] : -1, many: plain.length };
    },

    /** Takes new tokens back. @param {number} [n] what is left of them */
    rewind: (n = 0) => rewind(taken.length + n),

    /** Throws the die of the next step; the counts add up. @param {number} n; 0: from none */
    async draw(n) {
      const count = n ? (draws?.count ?? 0) + n : 0;
      draws = count ? await call("draws", { session: session(), step: -1, count }) : null;
    },

    /** What greedy would write here with these limits; the bench stays as it is. */
    async greedy() {
      const copy = await call("fork", { session: session() });
      const { session: other } = await call("rewind", {
        session: copy.session,
        steps: taken.length,
      });
      const plain = {
        ...(await wire()),
        strategy: "greedy",
        strategyArgs: {},
        stages: [],
        die: -1,
      };
      let { text, stop } = await call("retune", { session: other, settings: plain });
      while (!stop) {
        const { sessions } = await call("step", { sessions: [other] });
        ({ text, stop } = sessions[0]);
      }
      await call("close", { session: other });
      return text.slice(taken.length);
    },

    /**
     * What is known now.
     *
     * @param {{step?: number, rows?: number}} [how] step: the token on screen, -1 is the next
     * @returns {Promise<Facts>}
     */
    async look({ step = -1, rows = 12 } = {}) {
      const kind = strategy(described, settings.strategy);
      const acting = settings.stages.filter(
        (s) => !processor(described, s.kind)?.warper || kind?.samples,
      );
      /** @type {View | null} */
      let view = null;
      try {
        view = await call("view", { session: session(), step, rows });
      } catch (error) {
        // After the end of a search, or in a full context, no token follows.
        if (!now().stop) throw error;
      }
      /** @type {Tree | null} */
      const tree = kind?.beams ? await call("tree", { session: session() }) : null;
      return {
        values: toFlat(described, settings),
        order: acting.map((s) => s.kind),
        toy: toyName !== "",
        beams: kind?.beams ?? false,
        eos: info().eos_token_id,
        taken: taken.length,
        status: now(),
        view,
        tree,
        draws,
      };
    },

    async close() {
      const old = { model, status };
      model = status = null;
      await drop(old);
    },
  };
}

/** @typedef {ReturnType<typeof createBench>} Bench */

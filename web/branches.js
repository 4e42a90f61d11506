/**
 * The texts that grow from one prompt: each branch is a session of the engine.
 * Calls go out in order and the engine answers in order; what comes back for a
 * prompt that is no longer the current one is dropped.
 */

import { closeSession, readPrompt } from "./reader.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Status} Status
 * @typedef {import("./api.d.ts").Settings} WireSettings
 *
 * @typedef {object} Branch
 * @property {string} name
 * @property {Status} status
 * @property {Set<number>} old places of tokens that were drawn once, and that today's settings
 *   would not draw: the engine has them as taken by hand, and nobody did
 */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * @param {Engine} engine
 * @param {{onChange: () => void, onReading: (done: number, total: number) => void}} deps
 */
export function createBranches(engine, { onChange, onReading }) {
  /** @type {Branch[]} */
  let list = [];
  let current = 0;
  let generation = 0;

  const branch = () => list[current];
  const close = (/** @type {Branch[]} */ branches) => {
    for (const b of branches) closeSession(engine, b.status.session);
  };

  /** Takes a new status of the session it names.
   * @param {Status} status */
  function take(status) {
    const b = list.find((x) => x.status.session === status.session);
    if (!b) return;
    b.status = status;
    b.old = new Set([...b.old].filter((i) => i < status.text.length));
    onChange();
  }

  /** @param {string} name @param {Status} status @param {Set<number>} [old] */
  function add(name, status, old = new Set()) {
    list = [
      ...list,
      { name, status, old: new Set([...old].filter((i) => i < status.text.length)) },
    ];
    current = list.length - 1;
  }

  /** Takes one token of an earlier visit again.
   * @param {Branch} b @param {number} i where it stood @param {[number, boolean]} token */
  async function retake(b, i, [id, forced]) {
    const { session, steps, text } = b.status;
    if (text[i]?.id === id) return; // of a step that took several
    if (!forced) {
      const { sessions } = await engine.call("step", { sessions: [session] });
      b.status = sessions[0];
      if (b.status.text[i]?.id === id) return;
      b.status = await engine.call("rewind", { session, steps });
      b.old.add(i);
    }
    b.status = await engine.call("force", { session, id });
  }

  /** The first free letter; when all are taken, A2 and so on. */
  function freeName() {
    for (let round = 1; ; round++)
      for (const letter of LETTERS) {
        const name = round === 1 ? letter : `${letter}${round}`;
        if (!list.some((b) => b.name === name)) return name;
      }
  }

  return {
    get list() {
      return list;
    },
    get current() {
      return current;
    },
    /** The branch on screen; undefined before the first prompt is read. */
    branch,

    /** All of them as a state keeps them. */
    toKeep() {
      const kept = list.map(({ name, status, old }) => ({
        name,
        tokens: status.text.map((s, i) => {
          const forced = s.forced && !old.has(i);
          return /** @type {[number, boolean]} */ ([s.id, forced]);
        }),
      }));
      return { branches: kept, branch: current };
    },

    /**
     * Reads a prompt; its first branch is A. What was there is closed.
     *
     * @param {number} model @param {number[]} ids @param {WireSettings} settings
     */
    async open(model, ids, settings) {
      const mine = ++generation;
      const going = () => mine === generation;
      const status = await readPrompt(
        engine,
        { model, ids, settings },
        { onRead: onReading, going },
      );
      if (mine !== generation) {
        closeSession(engine, status.session);
        return false;
      }
      close(list);
      list = [];
      add("A", status);
      return true;
    },

    /**
     * Brings back branches of an earlier visit: a token that the settings give
     * again is drawn, any other is taken by hand. One that the model can't take,
     * or has no room for, ends its branch; the answer is whether there was one.
     *
     * @param {{name: string, tokens: [number, boolean][]}[]} saved
     * @param {number} select
     */
    async restore(saved, select) {
      const mine = generation;
      const root = branch();
      let cut = false;
      for (const [n, { name, tokens }] of saved.entries()) {
        if (n > 0) {
          const { session } = await engine.call("fork", { session: root.status.session });
          add(name, await engine.call("rewind", { session, steps: 0 }));
        }
        try {
          for (const [i, token] of tokens.entries()) {
            await retake(branch(), i, token);
            if (mine !== generation) return false;
          }
        } catch (error) {
          const { code } = /** @type {any} */ (error);
          if (code !== "bad_request" && code !== "context_full") throw error;
          cut = true;
        }
      }
      current = Math.min(select, list.length - 1);
      onChange();
      return cut;
    },

    /** Closes all: there is no prompt to continue. */
    clear() {
      generation++;
      close(list);
      list = [];
    },

    /** Forgets all without a word to the engine, which has ended. */
    drop() {
      generation++;
      list = [];
    },

    /** @param {WireSettings} settings */
    async retune(settings) {
      const b = branch();
      if (!b) return;
      b.status = await engine.call("retune", { session: b.status.session, settings });
    },

    /** Where the engine ended in the meantime there is nothing to step. */
    async step() {
      const b = branch();
      if (!b) return;
      const { sessions } = await engine.call("step", { sessions: [b.status.session] });
      take(sessions[0]);
    },

    /** Takes a token by hand at a step; what came after it goes.
     * @param {number} id @param {number} step */
    async force(id, step) {
      const b = branch();
      const { session, steps } = b.status;
      if (step < steps) await engine.call("rewind", { session, steps: step });
      const status = await engine.call("force", { session, id });
      b.old.delete(status.text.length - 1);
      take(status);
    },

    /** @param {number} steps */
    async rewind(steps) {
      take(await engine.call("rewind", { session: branch().status.session, steps }));
    },

    /** Makes a branch that shares the first steps with this one.
     * @param {number} steps */
    async fork(steps) {
      const mine = generation;
      const { status: from, old } = branch();
      const copy = await engine.call("fork", { session: from.session });
      const status = await engine.call("rewind", { session: copy.session, steps });
      if (mine !== generation) return closeSession(engine, status.session);
      add(freeName(), status, old);
      onChange();
    },

    /** @param {number} index */
    select(index) {
      current = index;
      onChange();
    },

    /** Forgets a branch; one is left at least.
     * @param {number} index */
    remove(index) {
      if (list.length < 2) return;
      close([list[index]]);
      list = list.filter((_, i) => i !== index);
      if (current >= index) current = Math.max(0, current - 1);
      onChange();
    },
  };
}

/**
 * What of a link's settings only a model can judge: texts that have to be one
 * token of its own, lists of words, and numbers that its size bounds.
 */

import { tokenizer } from "./reader.js";
import { brief, ofPane } from "./readfragment.js";
import { PLAIN, startSettings, strategy, toWire } from "./settings.js";

/**
 * @typedef {import("./reader.js").Engine} Engine
 * @typedef {import("./api.d.ts").Described} Described
 * @typedef {import("./api.d.ts").ModelInfo} ModelInfo
 * @typedef {import("./settings.js").Settings} Settings
 * @typedef {import("./settings.js").Stage} Stage
 * @typedef {import("./state.js").Pane} Pane
 *
 * @typedef {object} Deps
 * @property {Engine} engine
 * @property {Described} described
 * @property {ModelInfo} model
 * @property {{prompt: string, bos: boolean}} text that they are for
 */

/** @param {Record<string, string>} lists */
const hasLists = (lists) => Object.values(lists).some(Boolean);

/** Whether there is anything that a model has to judge. @param {Settings} settings */
const judgeable = ({ strategy: name, strategyLists, stages, ...rest }) =>
  rest.endTokens.length > 0 ||
  rest.max_length > 0 ||
  rest.assistant_early_exit > 0 ||
  hasLists(strategyLists[name] ?? {}) ||
  stages.some((s) => hasLists(s.lists));

/**
 * Settings and panes without what the model does not take, each part tried alone;
 * its name and what was said is in problems. What is wrong only together stays,
 * for the view to say why.
 *
 * @param {Deps} deps @param {{settings: Settings, panes: Pane[]}} state
 */
export async function judged(deps, { settings, panes }) {
  const own = await judgedAlone(deps, settings);
  const all = await Promise.all(panes.map((p) => judgedAlone(deps, p.settings)));
  return {
    settings: own.settings,
    panes: panes.map((p, i) => ({ ...p, settings: all[i].settings })),
    problems: [...own.problems, ...all.flatMap((p, i) => ofPane(i, p.problems))],
  };
}

/** @param {Deps} deps @param {Settings} settings
 * @returns {Promise<{settings: Settings, problems: string[]}>} */
async function judgedAlone({ engine, described, model, text }, settings) {
  /** @type {string[]} */
  const problems = [];
  if (!judgeable(settings)) return { settings, problems };
  const plain = { ...startSettings(described), stages: [] };

  /** @param {Partial<Settings>} patch */
  async function takes(patch) {
    try {
      const all = { ...plain, ...patch };
      const wire = await toWire(described, all, model, tokenizer(engine, model.model));
      const opened = { model: model.model, ids: [0], settings: wire };
      const { session } = await engine.call("open", opened);
      try {
        // Which layers there are shows at a step.
        if (patch.strategyLists) {
          await engine.call("feed", { session, count: 1 });
          await engine.call("step", { sessions: [session] });
        }
      } finally {
        await engine.call("close", { session });
      }
      return true;
    } catch (error) {
      if (/** @type {any} */ (error).code !== "bad_request") throw error;
      return false;
    }
  }

  /** Those of a kind's lists that it takes.
   * @param {string} kind @param {Record<string, string>} lists
   * @param {(one: Record<string, string>) => Partial<Settings>} alone settings with one of them */
  async function good(kind, lists, alone) {
    /** @type {Record<string, string>} */
    const kept = {};
    for (const [param, typed] of Object.entries(lists))
      if (!typed || (await takes(alone({ [param]: typed })))) kept[param] = typed;
      else problems.push(brief(`list ${kind}.${param}=${typed}`));
    return kept;
  }

  /** @type {string[]} */
  const endTokens = [];
  for (const token of settings.endTokens)
    if (await takes({ endTokens: [token] })) endTokens.push(token);
    else problems.push(brief(`end ${token}`));

  const { strategy: name } = settings;
  const own = settings.strategyLists[name] ?? {};
  /** @param {Record<string, string>} lists */
  const searching = (lists) => ({
    strategy: name,
    strategyArgs: settings.strategyArgs,
    strategyLists: { [name]: lists },
  });
  const ownGood = await good(name, own, searching);
  const lost = Object.keys(ownGood).length < Object.keys(own).length;
  // A number that chose the list goes with it.
  const bare = lost && !(await takes(searching(ownGood)));

  /** @type {Stage[]} */
  const stages = [];
  for (const s of settings.stages) {
    const alone = (/** @type {Stage["lists"]} */ lists) => ({
      stages: [{ ...s, on: true, lists }],
    });
    stages.push({ ...s, lists: await good(s.kind, s.lists, alone) });
  }

  const longest = settings.max_length;
  const { count } = longest
    ? await engine.call("tokenize", { model: model.model, text: text.prompt, bos: text.bos })
    : { count: 0 };
  const short = longest > 0 && longest <= count;
  if (short) problems.push(`max_length ${longest}`);
  const exit = settings.assistant_early_exit;
  const deep = exit >= Math.max(model.n_layer, 1) && Boolean(strategy(described, name)?.draft);
  if (deep) problems.push(`draft ${exit}`);

  return {
    settings: {
      ...settings,
      endTokens,
      strategyArgs: bare ? { ...settings.strategyArgs, [name]: {} } : settings.strategyArgs,
      strategyLists: { ...settings.strategyLists, [name]: ownGood },
      stages,
      max_length: short ? PLAIN.max_length : longest,
      assistant_early_exit: deep ? PLAIN.assistant_early_exit : exit,
    },
    problems,
  };
}

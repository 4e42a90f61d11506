/**
 * What is said when something loads, is missing or fails: what happened, what is
 * safe, and one way on.
 */

import { bytes, pct } from "./format.js";
import { partMissing, renewed } from "./renewed.js";
import { START_PROMPT } from "./state.js";
import { t } from "./texts.js";
import { errorInWords, failureInWords, noteInWords } from "./wording.js";

/**
 * @typedef {import("./models.js").Offer} Offer
 * @typedef {import("./engine.js").Progress} Progress
 * @typedef {import("./states.js").Action} Action
 *
 * @typedef {object} Deps
 * @property {ReturnType<typeof import("./states.js").createStateCard>} card
 * @property {ReturnType<typeof import("./state.js").createStore>} store
 * @property {ReturnType<typeof import("./models.js").createModels>} models
 * @property {() => ReturnType<typeof import("./explore.js").createExplore> | null} explore
 * @property {(words: string) => void} note says something above all views
 * @property {() => void} onRenewed the host has another version of the site by now
 * @property {() => void} restart
 */

/** Steps that "Rewind" takes back when the text is full. */
const REWIND = 100;

/** @param {Deps} deps */
export function createProblems({ card, store, models, explore, note, onRenewed, restart }) {
  let loaded = 0; // share of the model that was in place when loading stopped
  let about = ""; // what the card is about now

  /** @param {string} name @param {Parameters<typeof card.show>[0]} state */
  function show(name, state) {
    about = name;
    card.show({ ...state, about: name });
  }

  /** @param {Offer | null} failed @returns {Action[]} */
  const otherModel = (failed) => {
    const other = models.offers.find((o) => o.id !== failed?.id);
    return other
      ? [{ label: t("state.use", { name: other.name }), run: () => models.load(other.id) }]
      : [];
  };

  return {
    starting() {
      show("load", { title: t("state.starting"), text: t("state.startingDoc"), done: null });
    },

    /** @param {Offer} offer @param {Progress | null} progress */
    loading(offer, progress) {
      loaded = progress?.total ? progress.loaded / progress.total : 0;
      if (!progress) note(""); // of a load before
      if (models.current) return; // the one in use goes on; the menu shows the rest
      show("load", {
        title: t("state.loading", { name: offer.name }),
        text: progress
          ? [
              t("state.loadingDoc", {
                loaded: bytes(progress.loaded),
                total: bytes(progress.total),
                part: progress.part,
                parts: progress.parts,
              }),
              noteInWords(progress.note),
            ]
              .filter(Boolean)
              .join(" ")
          : t("state.startingDoc"),
        done: progress ? loaded : null,
        actions: [{ label: t("state.cancel"), run: () => models.cancel() }],
      });
    },

    /** @param {any} error @param {Offer | null} offer */
    loadFailed(error, offer) {
      const again = {
        label: t("state.again"),
        icon: /** @type {const} */ ("back"),
        main: true,
        run: () => models.start(offer?.id ?? store.get().model),
      };
      if (models.current) {
        // The menu's model is not there, but the one in use is.
        if (error.code === "cancelled") return;
        const words = t("state.keptModel", { name: offer?.name, message: errorInWords(error) });
        if (!models.say(words)) note(words);
        return;
      }
      if (error.code === "crash") return this.crashed(error);
      if (error.code === "cancelled")
        return show("load", {
          title: t("state.choose"),
          text: t("state.chooseDoc"),
          actions: [
            {
              ...again,
              icon: undefined,
              label: t("state.load", { name: offer?.name, size: bytes(offer?.codedBytes ?? 0) }),
            },
            ...otherModel(offer),
          ],
        });
      if (error.code === "bad_model")
        return show("load", {
          title: t("state.damaged", { name: offer?.name }),
          text: t("state.damagedDoc", { message: errorInWords(error) }),
          done: loaded,
          broken: true,
          actions: [again, ...otherModel(offer)],
        });
      if (error.code === "unsupported")
        return show("load", {
          title: t("state.unsupported"),
          text: errorInWords(error),
          broken: true,
        });
      const title = navigator.onLine
        ? loaded
          ? t("state.broke", { share: pct(loaded, 0) })
          : t("state.unreachable")
        : t("state.offline");
      show("load", {
        title,
        text: t(loaded ? "state.brokeDoc" : "state.unreachableDoc", {
          message: errorInWords(error),
        }),
        done: loaded,
        broken: true,
        actions: [again, ...otherModel(offer)],
      });
    },

    /** @param {any} error */
    crashed(error) {
      if (error.code === "unsupported")
        return show("crash", {
          title: t("state.unsupported"),
          text: errorInWords(error),
          broken: true,
        });
      // What starts it again may be gone.
      renewed().then((yes) => yes && onRenewed());
      show("crash", {
        title: t("state.crashed"),
        text: t("state.crashedDoc", { message: errorInWords(error) }),
        broken: true,
        actions: [{ label: t("state.restart"), icon: "back", main: true, run: restart }],
      });
    },

    /** A call failed.
     * @param {any} error @param {boolean} [kept] whether the picture is of the settings before */
    async failed(error, kept) {
      if (error.code === "crash") return; // told by the engine itself
      if (error.code === "context_full" && about === "context") return; // told by the card
      if (partMissing(error) && (await renewed())) return onRenewed();
      const words = failureInWords(error, kept);
      if (store.get().view === "explore") explore()?.message(words);
      else note(words);
      if (error.code === "internal" || !error.code) console.error(error);
    },

    /**
     * What Explore has to show, or why it has nothing.
     *
     * @param {"ready" | "empty" | "context" | "long"} name
     * @param {any} [detail]
     */
    state(name, detail) {
      if (name === "ready") {
        if (about !== "load" && about !== "crash" && card.shown) card.hide();
        return;
      }
      if (name === "empty")
        return show(name, {
          title: t("state.empty"),
          text: t("state.emptyDoc"),
          actions: [
            {
              label: t("state.emptyUse", { prompt: START_PROMPT }),
              run: () => explore()?.setPrompt(START_PROMPT),
            },
          ],
        });
      const { n_positions: n, name: model } = detail.model;
      if (name === "long")
        return show(name, {
          title: t("state.long", { n: detail.tokens }),
          text: t("state.longDoc", { model, n }),
          done: 1,
          actions: [
            {
              label: t("state.longCut"),
              run: () => explore()?.setPrompt(lastWords(store.get().prompt, n / 2 / detail.tokens)),
            },
          ],
        });
      show(name, {
        title: t("state.full", { n }),
        text: t("state.fullDoc", { model }),
        done: 1,
        actions: [
          {
            label: t("state.fullRewind", { n: Math.min(REWIND, detail.steps) }),
            icon: "back",
            main: true,
            run: () => explore()?.rewind(detail.steps - REWIND),
          },
        ],
      });
    },
  };
}

/** The end of a text, cut at a space. @param {string} text @param {number} share */
function lastWords(text, share) {
  const tail = text.slice(Math.floor(text.length * (1 - share)));
  const space = tail.indexOf(" ");
  return space < 0 ? tail : tail.slice(space + 1);
}

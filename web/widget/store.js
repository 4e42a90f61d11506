/** The state of a widget: a value that lives as long as the frame. */

/** @typedef {import("../state.js").State} State */

/** @param {State} start @param {(state: State) => void} onChange */
export function createWidgetStore(start, onChange) {
  let state = start;
  return {
    get: () => state,
    keep() {},
    refused: /** @type {string[]} */ ([]),
    /** @param {Partial<State>} patch */
    set(patch) {
      state = { ...state, ...patch };
      onChange(state);
    },
    /** A frame does not follow its address. */
    readAddress: () => ({ state: {}, refused: /** @type {string[]} */ ([]) }),
  };
}

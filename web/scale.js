/** How a slider spreads a parameter: places 0 to 1 and back, and small moves. */

/** @typedef {import("./api.d.ts").Param} Param */

/** @param {number} v @param {number} n significant digits */
const round = (v, n) => Number(v.toPrecision(n));

/** The nearest value that the parameter's step allows, inside the slider's ends.
 * @param {Param} p @param {number} v */
function snap(p, v) {
  const step = p.step || (p.type === "number" ? 0 : 1);
  const snapped = step ? Number((Math.round(v / step) * step).toFixed(8)) : v;
  return Math.min(p.high, Math.max(p.low, snapped));
}

/** The value at the near end of a log scale, where low itself may be 0.
 * @param {Param} p */
const nearest = (p) => (p.low > 0 ? p.low : p.step || 1e-4);

/** The place of a value, 0 to 1.
 * @param {Param} p @param {number} v */
export function place(p, v) {
  const x = Math.min(p.high, Math.max(p.low, v));
  if (p.high <= p.low) return 0;
  if (p.scale === "log") {
    const a = nearest(p);
    return x <= a ? 0 : Math.log(x / a) / Math.log(p.high / a);
  }
  if (p.scale === "complement") {
    const [far, near] = complementEnds(p);
    return 1 - x <= near ? 1 : Math.log((1 - x) / far) / Math.log(near / far);
  }
  return (x - p.low) / (p.high - p.low);
}

/** The value at a place, 0 to 1.
 * @param {Param} p @param {number} at */
export function valueAt(p, at) {
  if (at <= 0) return p.low;
  if (at >= 1) return p.high;
  if (p.scale === "log") {
    const a = nearest(p);
    return snap(p, round(a * (p.high / a) ** at, 3));
  }
  if (p.scale === "complement") {
    const [far, near] = complementEnds(p);
    return snap(p, 1 - round(far * (near / far) ** at, 2));
  }
  return snap(p, p.low + at * (p.high - p.low));
}

/** The ends of 1 - value.
 * @param {Param} p @returns {[number, number]} */
const complementEnds = (p) => [1 - p.low, Math.max(1 - p.high, p.step || 1e-4)];

/**
 * The next value in a direction that differs: what an arrow key does.
 *
 * @param {Param} p @param {number} v
 * @param {number} places of a hundred; its sign is the direction
 */
export function nudge(p, v, places) {
  const at = place(p, v);
  for (let n = 1; n <= 100; n++) {
    const to = valueAt(p, Math.min(1, Math.max(0, at + (n * places) / 100)));
    if (places > 0 ? to > v : to < v) return to;
  }
  return places > 0 ? p.high : p.low;
}

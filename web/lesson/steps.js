/** Steps of several benches at once. */

/**
 * @typedef {import("./bench.js").Bench} Bench
 * @typedef {import("./bench.js").Call} Call
 */

/**
 * One step of every bench that can go on, in one pass; whether there was one.
 *
 * @param {Call} call @param {Bench[]} benches
 */
export async function stepAll(call, benches) {
  const open = benches.filter((b) => !b.status.stop);
  if (!open.length) return false;
  const { sessions } = await call("step", { sessions: open.map((b) => b.status.session) });
  for (const [i, bench] of open.entries()) bench.accept(sessions[i]);
  const refused = sessions.find((s) => s.error.code);
  if (refused) throw new Error(refused.error.message);
  return true;
}

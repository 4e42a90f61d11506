/** A signal for both, as AbortSignal.any, which browsers of 2023 lack.
 * @param {AbortSignal} a @param {AbortSignal} b @returns {AbortSignal} */
export function either(a, b) {
  const both = new AbortController();
  for (const signal of [a, b]) {
    if (signal.aborted) both.abort(signal.reason);
    signal.addEventListener("abort", () => both.abort(signal.reason), { signal: both.signal });
  }
  return both.signal;
}

// Delays between attempts: exponential backoff with jitter, and an abortable sleep.

/** The maximum delay, even if the endpoint asks for more: a person is waiting for the first token. */
const MAX_WAIT_MS = 10_000;
/** The minimum delay after the first failed attempt. */
const MIN_FIRST_WAIT_MS = 250;

/**
 * Returns the delay in ms after the failed attempt number `attempt` (from 1): the delay that the endpoint asked for, at
 * most `MAX_WAIT_MS`; otherwise 250 to 500 ms, doubled with each attempt. `random` in [0, 1) selects within this range,
 * so that callers that failed together do not retry together.
 */
export function computeBackoffMs(attempt: number, retryAfterMs: number | undefined, random: number): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_WAIT_MS);
  const longest = MIN_FIRST_WAIT_MS * 2 ** attempt;
  return (longest / 2) * (1 + random);
}

/** Resolves after `ms`; rejects with the signal's reason if it aborts first, and then leaves no timer behind. */
export function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** An endpoint may ask for more patience than a person has who waits for the first word. */
const MAX_WAIT_MS = 10_000;
const FIRST_WAIT_MS = 250;

/**
 * How long to wait after the `attempt`-th failed attempt (from 1): what the endpoint asked for, capped;
 * otherwise twice as long each time, with jitter so that callers who failed together do not come back together.
 * `random` is in [0, 1).
 */
export function waitMs(attempt: number, retryAfterMs: number | undefined, random: number): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, MAX_WAIT_MS);
  const longest = FIRST_WAIT_MS * 2 ** attempt;
  return (longest / 2) * (1 + random);
}

/** Rejects with the signal's reason when it aborts first. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
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

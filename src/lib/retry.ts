// Repeated attempts: the delay between them, an abortable pause, and the loop.

/** Bounds of the delay in ms, before jitter. */
export type BackoffBounds = { readonly minMs: number; readonly maxMs: number };

/**
 * Returns the delay in ms after the failed attempt with this number (from 1). The delay doubles with each attempt up to
 * `maxMs`; jitter picks a value in its upper half, so that callers that failed together do not retry together.
 */
export function computeBackoffMs(
  attempt: number,
  { minMs, maxMs }: BackoffBounds,
  random: () => number = Math.random,
): number {
  const full = Math.min(maxMs, minMs * 2 ** Math.min(attempt - 1, 30));
  return (full / 2) * (1 + random());
}

/** Resolves after `ms`; rejects with the signal's reason if it aborts first, and then leaves no timer behind. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

/**
 * Calls `work` with the number of the attempt (from 1) until it succeeds. `getDelayMs` decides about a failed attempt:
 * the delay in ms before the next one, or null to reject with the error. Also rejects with the signal's reason.
 */
export async function withRetry<T>(
  work: (attempt: number) => Promise<T>,
  getDelayMs: (thrown: unknown, attempt: number) => number | null,
  signal?: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await work(attempt);
    } catch (thrown) {
      const delayMs = getDelayMs(thrown, attempt);
      if (delayMs === null) throw thrown;
      await sleep(delayMs, signal);
    }
  }
}

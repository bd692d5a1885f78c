// Exponential backoff with jitter.

/** Bounds of the delay in ms, before jitter. */
export type BackoffBounds = { readonly minMs: number; readonly maxMs: number };

/**
 * Returns the delay in ms before the attempt with this number (from 0). The delay doubles with each attempt up to
 * `maxMs`; jitter picks a value in its upper half, so that clients of a restarted server do not reconnect together.
 */
export function computeBackoffDelay(
  attempt: number,
  { minMs, maxMs }: BackoffBounds,
  random: () => number = Math.random,
): number {
  const full = Math.min(maxMs, minMs * 2 ** Math.min(attempt, 30));
  return full / 2 + (random() * full) / 2;
}

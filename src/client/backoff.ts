export type Backoff = { readonly minMs: number; readonly maxMs: number };

/**
 * How long to wait before try number `attempt` (from 0): twice as long each time, up to the limit,
 * and anywhere in the upper half of it, so that the clients of a restarted server do not return in step.
 */
export function delayBefore(attempt: number, { minMs, maxMs }: Backoff, random: () => number = Math.random): number {
  const full = Math.min(maxMs, minMs * 2 ** Math.min(attempt, 30));
  return full / 2 + (random() * full) / 2;
}

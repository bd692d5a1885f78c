import type { Lane } from "./lane.ts";

/** Returns the promise, but rejects if it does not settle within `ms` milliseconds. `what` names it in the error. */
export async function within<T>(ms: number, promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come within ${Math.round(ms)} ms.`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/**
 * Returns the promise. If it does not settle within `ms` milliseconds, no kill follows until it has settled: each process
 * may have been killed too early for progress. Rejects if it does not settle within `ms` without kills either.
 */
export async function withinCalm<T>(
  { calmly }: Pick<Lane, "calmly">,
  ms: number,
  promise: Promise<T>,
  what: string,
): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<true>((resolve) => {
    timer = setTimeout(() => resolve(true), ms);
  });
  const isLate = await Promise.race([promise.then(() => false), late]).finally(() => clearTimeout(timer));
  return isLate ? calmly(within(ms, promise, what)) : promise;
}

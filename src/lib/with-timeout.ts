// Waiting for a promise for a limited time, or until a signal aborts. The work itself is never cancelled.

/**
 * Settles like `work`, or rejects with an Error after `ms` milliseconds. The work is not cancelled; its later outcome
 * is ignored.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * Settles like `work`, or rejects with the abort reason as soon as the signal aborts, also if it has aborted already.
 * A result that comes later is passed to `onLate`; a later error is ignored.
 */
export function raceAbort<T>(signal: AbortSignal, work: Promise<T>, onLate?: (value: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work
      .then((value) => (signal.aborted ? onLate?.(value) : resolve(value)), reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

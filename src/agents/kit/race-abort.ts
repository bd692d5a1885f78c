/**
 * Settles as `work` does, or rejects with the abort reason as soon as the signal aborts, also if it has aborted
 * already. `work` itself continues, and its result or error is ignored.
 */
export function raceAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

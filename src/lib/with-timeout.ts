// A timeout for promises.

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

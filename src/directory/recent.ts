import { within } from "../protocol/within.ts";

/** How long another isolate may go by what it has read. */
const MAX_AGE_MS = 5_000;
/** Longest wait for a directory that may not answer: whoever reads has other things to do. */
const ANSWER_MS = 5_000;
const MOST_USERS = 10_000;

/**
 * What an isolate has read of each user lately; read at most every few seconds, at once after a change made here. Rejects
 * when the directory fails or takes too long.
 */
export class Recent<T> {
  readonly #read = new Map<string, { readonly value: T; readonly at: number }>();
  #changes = 0;

  async of(userId: string, read: () => Promise<T>): Promise<T> {
    const known = this.#read.get(userId);
    if (known !== undefined && Date.now() - known.at < MAX_AGE_MS) return known.value;
    const before = this.#changes;
    const value = await within(ANSWER_MS, read());
    // What was changed meanwhile may be missing in it.
    if (before !== this.#changes) return value;
    if (this.#read.size > MOST_USERS) this.#read.clear();
    this.#read.set(userId, { value, at: Date.now() });
    return value;
  }

  forget(userId: string): void {
    this.#changes += 1;
    this.#read.delete(userId);
  }
}

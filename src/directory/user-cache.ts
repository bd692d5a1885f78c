// A cache of directory reads per user, within one isolate.
//
// Owns a map of values with the time they were read. A write in this isolate invalidates at once; a write in another
// isolate becomes visible after `MAX_AGE_MS`. A read that overlaps any invalidation is returned but not cached, because
// it may be outdated. Concurrent reads are not shared.

import { withTimeout } from "../lib/with-timeout.ts";

const MAX_AGE_MS = 5_000;
const READ_TIMEOUT_MS = 5_000;
const MAX_CACHED_USERS = 10_000;

/** One instance per kind of value and isolate. Beyond `MAX_CACHED_USERS` the whole cache is cleared. */
export class UserCache<T> {
  readonly #values = new Map<string, { readonly value: T; readonly at: number }>();
  #changes = 0;

  /**
   * Returns the cached value or that of `read`. Rejects if `read` fails or takes longer than `READ_TIMEOUT_MS`; nothing
   * is cached then.
   */
  async get(userId: string, read: () => Promise<T>): Promise<T> {
    const known = this.#values.get(userId);
    if (known !== undefined && Date.now() - known.at < MAX_AGE_MS) return known.value;
    const before = this.#changes;
    const value = await withTimeout(READ_TIMEOUT_MS, read());
    // The value may be older than a change made meanwhile.
    if (before !== this.#changes) return value;
    if (this.#values.size > MAX_CACHED_USERS) this.#values.clear();
    this.#values.set(userId, { value, at: Date.now() });
    return value;
  }

  /** Invalidates the value of a user. Call it after every write. */
  invalidate(userId: string): void {
    this.#changes += 1;
    this.#values.delete(userId);
  }
}

// A cache of the newest log rows, so that the history of a turn need not read back what this object has just stored.
//
// Owns a suffix of the log, bounded by its stored size. The cache is filled only by `add`; after rows were deleted or a
// transaction failed it must be cleared, and it fills again with the next row that is newer than all before.

/** The maximum size of the cached rows as stored, in UTF-16 units: some turns of usual length. */
const MAX_CACHED_CHARS = 32 * 1024;

type CachedRow<Row> = { readonly row: Row; readonly chars: number };

/**
 * Invariant: all stored rows with `seq >= this.from` are in the cache. Rows may be stored out of order, but the first
 * row that an object stores has a higher `seq` than all rows that were in storage when it was loaded.
 */
export class RecentRowCache<Row extends { readonly seq: number }> {
  #cached: readonly CachedRow<Row>[] = [];
  #from = Infinity;
  #highest = 0;

  /** Rows before this `seq` must be read from storage. Infinity if the cache is empty. */
  get from(): number {
    return this.#from;
  }

  /** The cached rows, newest first. */
  get rows(): readonly Row[] {
    return this.#cached.map(({ row }) => row).toReversed();
  }

  /**
   * Adds a row after it was stored with `chars` UTF-16 units; does nothing if the cache could not keep its invariant.
   * Then evicts the oldest rows beyond the size limit.
   */
  add(row: Row, chars: number): void {
    if (this.#cached.length === 0 && row.seq > this.#highest) this.#from = row.seq;
    this.#highest = Math.max(this.#highest, row.seq);
    if (row.seq < this.#from) return;
    this.#cached = [...this.#cached, { row, chars }].toSorted((a, b) => a.row.seq - b.row.seq);
    let total = this.#cached.reduce((sum, { chars: size }) => sum + size, 0);
    while (total > MAX_CACHED_CHARS) {
      const [oldest, ...rest] = this.#cached;
      total -= oldest?.chars ?? 0;
      this.#cached = rest;
      this.#from = rest[0]?.row.seq ?? Infinity;
    }
  }

  /** Empties the cache, after rows were deleted or a transaction failed. */
  clear(): void {
    this.#cached = [];
    this.#from = Infinity;
  }
}

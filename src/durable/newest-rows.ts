/** Characters of rows, as they are stored: some turns of the usual length. */
const MOST_CHARS = 32 * 1024;

type Kept<Row> = { readonly row: Row; readonly chars: number };

/**
 * The newest rows of a log, as this object has stored them: what was just said need not be read back.
 *
 * Invariant: all rows that are stored from the number `from` on are here. A row may be stored after one with a higher
 * number; the first that an object stores has a higher number than all that it has found.
 */
export class NewestRows<Row extends { readonly seq: number }> {
  #kept: readonly Kept<Row>[] = [];
  #from = Infinity;
  #highest = 0;

  /** What is stored besides comes before this number. */
  get from(): number {
    return this.#from;
  }

  /** The newest first. */
  get rows(): readonly Row[] {
    return this.#kept.map(({ row }) => row).toReversed();
  }

  add(row: Row, chars: number): void {
    if (this.#kept.length === 0 && row.seq > this.#highest) this.#from = row.seq;
    this.#highest = Math.max(this.#highest, row.seq);
    if (row.seq < this.#from) return;
    this.#kept = [...this.#kept, { row, chars }].toSorted((a, b) => a.row.seq - b.row.seq);
    let total = this.#kept.reduce((sum, kept) => sum + kept.chars, 0);
    while (total > MOST_CHARS) {
      const [oldest, ...rest] = this.#kept;
      total -= oldest?.chars ?? 0;
      this.#kept = rest;
      this.#from = rest[0]?.row.seq ?? Infinity;
    }
  }

  /** For when rows were deleted. */
  forget(): void {
    this.#kept = [];
    this.#from = Infinity;
  }
}

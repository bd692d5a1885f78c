// Writes of many in one: what is asked for while a write is under way goes with the next one.

/** How soon one who waits looks again, at first and at most. */
const LOOK_MS = { first: 10, most: 1_000 };
/**
 * Whoever waits longer writes by itself: the one who was to write for it has been taken away in the middle. The
 * database gives up on a statement before that, so that nothing is written once it was thought lost.
 */
const PATIENCE_MS = 60_000;
/** How many are written for at once. */
const MOST = 128;

type Write<T> = (rows: readonly T[]) => Promise<unknown>;
type Waiting<T> = { readonly rows: readonly T[]; state: "waiting" | "written" | "failed" };

/**
 * A queue that the objects of one isolate share. The first in it writes, for all who wait by then; after that it is the
 * turn of whoever is first. What fails for many is tried again by each for itself, so that none suffers for another.
 *
 * Who waits looks again from time to time: an object must not be woken in the name of another.
 */
export class Together<T> {
  #queue: readonly Waiting<T>[] = [];

  /** Resolves once `rows` are written, by `write` or by that of another; rejects when `write` fails. */
  async put(rows: readonly T[], write: Write<T>): Promise<void> {
    const mine: Waiting<T> = { rows, state: "waiting" };
    this.#queue = [...this.#queue, mine];
    await this.#turnOf(mine);
    const isFirst = this.#queue[0] === mine;
    if (mine.state === "waiting") await this.#writeFor(isFirst ? this.#queue.slice(0, MOST) : [mine], write);
    if (mine.state === "failed") await write(rows);
  }

  /** Until it is written for, or is the first. */
  async #turnOf(mine: Waiting<T>): Promise<void> {
    const since = Date.now();
    for (let wait = LOOK_MS.first; this.#queue.indexOf(mine) > 0; wait = Math.min(2 * wait, LOOK_MS.most)) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      const isLost = mine.state === "waiting" && Date.now() - since >= PATIENCE_MS;
      if (isLost) this.#queue = this.#queue.slice(this.#queue.indexOf(mine));
    }
  }

  /** Throws what one alone fails of. */
  async #writeFor(batch: readonly Waiting<T>[], write: Write<T>): Promise<void> {
    let state: Waiting<T>["state"] = "failed";
    try {
      await write(batch.flatMap(({ rows }) => rows));
      state = "written";
    } catch (thrown) {
      if (batch.length === 1) throw thrown;
    } finally {
      for (const waiting of batch) waiting.state = state;
      this.#queue = this.#queue.filter((waiting) => !batch.includes(waiting));
    }
  }
}

// Writes of many in one: what is asked for while a write is under way goes with the next one.

/** How soon one who waits looks again, at first and at most. */
const LOOK_MS = { first: 10, most: 1_000 };
/** Who is to write for others shows so often that it is still there while it writes. */
const BEAT_MS = 500;
/** Whoever has not shown it for so long has been taken away in the middle: the others go on without it. */
const SILENCE_MS = 3_000;
/** So long one write may hold the others up. The database gives up on a statement before that. */
const PATIENCE_MS = 60_000;
/** How many are written for at once. */
const MOST = 128;

type Write<T> = (rows: readonly T[]) => Promise<unknown>;
type Waiting<T> = { readonly rows: readonly T[]; state: "waiting" | "written" | "failed"; beats: number };

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
    const mine: Waiting<T> = { rows, state: "waiting", beats: 0 };
    this.#queue = [...this.#queue, mine];
    await this.#turnOf(mine);
    const isFirst = this.#queue[0] === mine;
    if (mine.state === "waiting") await this.#writeFor(isFirst ? this.#queue.slice(0, MOST) : [mine], write);
    if (mine.state === "failed") await write(rows);
  }

  /** Until it is written for, or is the first. */
  async #turnOf(mine: Waiting<T>): Promise<void> {
    // What was waited, not the time that has passed: where all stood still, nobody could show anything.
    let silence = 0;
    for (let wait = LOOK_MS.first; this.#queue.indexOf(mine) > 0; wait = Math.min(2 * wait, LOOK_MS.most)) {
      const [first] = this.#queue;
      const beats = first?.beats;
      await new Promise((resolve) => setTimeout(resolve, wait));
      const isSilent = this.#queue[0] === first && first?.beats === beats;
      silence = isSilent ? silence + wait : 0;
      if (silence >= SILENCE_MS) this.#queue = this.#queue.slice(1);
    }
  }

  /** Throws what one alone fails of. */
  async #writeFor(batch: readonly Waiting<T>[], write: Write<T>): Promise<void> {
    let state: Waiting<T>["state"] = "failed";
    const stop = beating(batch);
    try {
      await write(batch.flatMap(({ rows }) => rows));
      state = "written";
    } catch (thrown) {
      if (batch.length === 1) throw thrown;
    } finally {
      stop();
      for (const waiting of batch) waiting.state = state;
      this.#queue = this.#queue.filter((waiting) => !batch.includes(waiting));
    }
  }
}

/** Has the first of a batch beat, as long as its write may take. Ends with its object, or when it is stopped. */
function beating<T>([first]: readonly Waiting<T>[]): () => void {
  const until = Date.now() + PATIENCE_MS - SILENCE_MS;
  const beat = setInterval(() => {
    if (first === undefined || Date.now() >= until) clearInterval(beat);
    else first.beats += 1;
  }, BEAT_MS);
  return () => clearInterval(beat);
}

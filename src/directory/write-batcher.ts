// Combines writes of several Durable Objects in one isolate into one statement.
//
// Owns a queue that all objects of the isolate share. The first in the queue writes for up to `MAX_BATCH` entries;
// afterwards the next in the queue is first. The I/O of one object must not wake another, so waiting entries poll.
//
// Failure: if a combined write fails, each object repeats its own rows alone, so one bad row does not harm others. If
// the writer is evicted during its write, its heartbeat stops, and the others remove it from the queue and continue. A
// row may therefore be written twice: writes must be idempotent.

/** The polling interval of waiting entries: doubled from `first` up to `max`, in ms. */
const POLL_MS = { first: 10, max: 1_000 };
const HEARTBEAT_MS = 500;
/** Without a heartbeat for this long, the writer is considered evicted. */
const HEARTBEAT_TIMEOUT_MS = 3_000;
/** The maximum duration of one write. The database aborts a statement earlier. */
const MAX_WRITE_MS = 60_000;
const MAX_BATCH = 128;

/** Writes rows; must be idempotent. */
type BatchWrite<T> = (rows: readonly T[]) => Promise<unknown>;
type WaitingWrite<T> = { readonly rows: readonly T[]; state: "waiting" | "written" | "failed"; heartbeats: number };

/** One instance per isolate and kind of row. Concurrent calls of one object are separate entries. */
export class WriteBatcher<T> {
  #queue: readonly WaitingWrite<T>[] = [];

  /**
   * Resolves when `rows` are written, by `write` or within another object's write. Rejects if writing them alone fails.
   */
  async write(rows: readonly T[], write: BatchWrite<T>): Promise<void> {
    const entry: WaitingWrite<T> = { rows, state: "waiting", heartbeats: 0 };
    this.#queue = [...this.#queue, entry];
    await this.#waitForTurn(entry);
    const isFirst = this.#queue[0] === entry;
    if (entry.state === "waiting") await this.#writeBatch(isFirst ? this.#queue.slice(0, MAX_BATCH) : [entry], write);
    if (entry.state === "failed") await write(rows);
  }

  /** Waits until the entry was written by another object or is first in the queue. */
  async #waitForTurn(entry: WaitingWrite<T>): Promise<void> {
    // Counts the time waited, not the clock: if the whole isolate stood still, nobody could send a heartbeat.
    let silence = 0;
    for (let wait = POLL_MS.first; this.#queue.indexOf(entry) > 0; wait = Math.min(2 * wait, POLL_MS.max)) {
      const [first] = this.#queue;
      const beats = first?.heartbeats;
      await new Promise((resolve) => setTimeout(resolve, wait));
      const isSilent = this.#queue[0] === first && first?.heartbeats === beats;
      silence = isSilent ? silence + wait : 0;
      if (silence >= HEARTBEAT_TIMEOUT_MS) this.#queue = this.#queue.slice(1);
    }
  }

  /** Writes a batch and marks its entries. Throws only if the batch has a single entry. */
  async #writeBatch(batch: readonly WaitingWrite<T>[], write: BatchWrite<T>): Promise<void> {
    let state: WaitingWrite<T>["state"] = "failed";
    const stop = startHeartbeat(batch);
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

/**
 * Starts the heartbeat of the first entry; it ends with its object, shortly before `MAX_WRITE_MS`, or when the returned
 * function is called.
 */
function startHeartbeat<T>([first]: readonly WaitingWrite<T>[]): () => void {
  const until = Date.now() + MAX_WRITE_MS - HEARTBEAT_TIMEOUT_MS;
  const beat = setInterval(() => {
    if (first === undefined || Date.now() >= until) clearInterval(beat);
    else first.heartbeats += 1;
  }, HEARTBEAT_MS);
  return () => clearInterval(beat);
}

// A queue from writers to one reader. It owns the entries that wait.
//
// M1. Order is kept; an entry may be joined with the one before it only.
// M2. After `close` the reader still gets the entries that were pushed before, then the end.
//
// Entries pushed after `close` are dropped. `push` never blocks: a writer that needs backpressure awaits
// `waitForSpace` if that returns a promise; the others must produce a bounded number of entries. Only one reader may
// wait at a time.

export type QueueOptions<T> = {
  /** Returns both entries as one, or undefined if they must stay separate. */
  readonly join: (last: T, next: T) => T | undefined;
  readonly measure: (entry: T) => number;
  /** The sum of `measure` from which the writer has to wait. */
  readonly maxSize: number;
};

const UNBOUNDED: QueueOptions<unknown> = { join: () => undefined, measure: () => 0, maxSize: 1 };

/** Passes entries from writers to one reader. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #options: QueueOptions<T>;
  #queue: T[] = [];
  #size = 0;
  #isClosed = false;
  #wakeReader: (() => void) | undefined;
  #wakeWriter: (() => void) | undefined;

  constructor(options: QueueOptions<T> = UNBOUNDED as QueueOptions<T>) {
    this.#options = options;
  }

  /** Adds an entry, or drops it after `close`. Never blocks and never throws. */
  readonly push = (entry: T): void => {
    if (this.#isClosed) return;
    this.#size += this.#options.measure(entry);
    const last = this.#queue.at(-1);
    const joined = last === undefined ? undefined : this.#options.join(last, entry);
    if (joined === undefined) this.#queue.push(entry);
    else this.#queue[this.#queue.length - 1] = joined;
    this.#wakeReader?.();
  };

  /**
   * Returns a promise that resolves once `takeBatch` has emptied the queue or the queue is closed; undefined if there
   * is space now or the queue is closed already. Only one caller may wait at a time.
   */
  waitForSpace(): Promise<void> | undefined {
    if (this.#size < this.#options.maxSize || this.#isClosed) return undefined;
    return new Promise((resolve) => (this.#wakeWriter = resolve));
  }

  /** Ends the queue and wakes both sides. Idempotent. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#wakeReader?.();
    this.#wakeWriter?.();
  };

  /** Waits until there are entries, then removes and returns all; undefined once the queue is closed and empty. */
  async takeBatch(): Promise<readonly T[] | undefined> {
    while (this.#queue.length === 0) {
      if (this.#isClosed) return undefined;
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
    const entries = this.takeAvailable();
    this.#wakeWriter?.();
    return entries;
  }

  /** Removes and returns all entries that are queued now, possibly none. Does not wait and does not wake the writer. */
  takeAvailable(): readonly T[] {
    const entries = this.#queue;
    this.#queue = [];
    this.#size = 0;
    return entries;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (let entries = await this.takeBatch(); entries !== undefined; entries = await this.takeBatch()) yield* entries;
  }
}

/**
 * Runs the work and yields each entry that it pushes. Throws the error of the work, after all entries pushed before it.
 * The work continues, and its error is ignored, if the reader stops early.
 */
export async function* streamWork<T>(work: (push: (entry: T) => void) => Promise<void>): AsyncGenerator<T, void> {
  const queue = new AsyncQueue<T>();
  const done = work(queue.push);
  done.then(queue.close, queue.close);
  yield* queue;
  await done;
}

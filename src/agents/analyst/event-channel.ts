// An unbounded in-memory queue between concurrent senders and one reader.
//
// The reader receives every event once, in the order of `send`. `close` lets the reader receive the queued events and
// then ends the iteration; it may be called more than once. Only one reader may iterate: the channel stores a single
// wake-up callback. Senders never block and there is no backpressure, so senders must produce a bounded number of
// events. The channel knows no errors; `streamEvents` passes on the rejection of the work.

/** Queue of events with one reader. */
export class EventChannel<T> implements AsyncIterable<T> {
  #queue: T[] = [];
  #isClosed = false;
  #wake: (() => void) | undefined;

  /** Appends an event. Never blocks and never throws. */
  readonly send = (event: T): void => {
    this.#queue.push(event);
    this.#wake?.();
  };

  /** Ends the iteration after the queued events. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#wake?.();
  };

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const events = this.#queue;
      this.#queue = [];
      yield* events;
      if (this.#queue.length > 0) continue;
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/**
 * Runs the work and yields each event that it sends. Throws the error of the work, after all events sent before it. The
 * work continues, and its error is ignored, if the reader stops early.
 */
export async function* streamEvents<T>(work: (send: (event: T) => void) => Promise<void>): AsyncGenerator<T, void> {
  const channel = new EventChannel<T>();
  const done = work(channel.send);
  done.then(channel.close, channel.close);
  yield* channel;
  await done;
}

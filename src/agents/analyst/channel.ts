/** Hands events from those who tell them to one reader, in the order in which they were told. */
export class Channel<T> implements AsyncIterable<T> {
  #waiting: T[] = [];
  #isClosed = false;
  #wake: (() => void) | undefined;

  readonly tell = (event: T): void => {
    this.#waiting.push(event);
    this.#wake?.();
  };

  /** The reader still gets what was told before, then the end. */
  readonly close = (): void => {
    this.#isClosed = true;
    this.#wake?.();
  };

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      const events = this.#waiting;
      this.#waiting = [];
      yield* events;
      if (this.#waiting.length > 0) continue;
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** What work tells while it is done. Throws what the work throws, after everything that it told. */
export async function* toldBy<T>(work: (tell: (event: T) => void) => Promise<void>): AsyncGenerator<T, void> {
  const channel = new Channel<T>();
  const done = work(channel.tell);
  done.then(channel.close, channel.close);
  yield* channel;
  await done;
}

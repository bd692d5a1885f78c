// The body of a model's answer, in pieces that are worth waking up for.
//
// A provider sends a chunk per token, and a plain read returns one chunk: on workerd that is a wake-up
// of JavaScript per token. Its BYOB reader can join chunks before it wakes us (`readAtLeast`). Where a
// body cannot do that (Node, streams made in JavaScript) each read is one chunk, and nothing is lost but speed.

import { Crowd, Pace } from "./pace.ts";

const BUFFER_BYTES = 16_384;
const isolate = new Crowd();
/** How long the rest of an answered request may take, so that its connection can be used again. */
const DRAIN_MS = 1_000;

/** Of what is there at once: more is no better for being joined. */
const MOST_LENGTH = 16_384;

export type Pieces = {
  /** The next text; null at the end. Rejects with the signal's reason once aborted. */
  next(): Promise<string | null>;
  /** Reads on for a moment in the background when all is said and the end was not seen; never rejects. */
  drain(): void;
};

type Source = {
  /** The next bytes, valid until the next call: at least so many, where it can wait for them. */
  readonly read: (minimum: number) => Promise<Uint8Array | null>;
  readonly cancel: (reason: unknown) => Promise<void>;
  /** The end was seen: there is nothing left to read. */
  readonly isOver: () => boolean;
};

/** `isCareful`: no read waits for more bytes than one, however fast they come. */
export function piecesOf(body: ReadableStream<unknown>, signal: AbortSignal, isCareful: boolean): Pieces {
  const source = joiningSource(body) ?? plainSource(body);
  const joined = new Joined(source, isCareful);
  let interrupt: ((reason: unknown) => void) | undefined;

  const stop = () => {
    interrupt?.(signal.reason);
    source.cancel(signal.reason).catch(() => {});
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });

  return {
    next: () =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        interrupt = reject;
        joined.next().then(resolve, reject);
      }),
    drain() {
      signal.removeEventListener("abort", stop);
      if (!source.isOver()) void drain(joined, source);
    },
  };
}

type Read = { readonly text: string; readonly isLast: boolean };

/**
 * Reads a chunk ahead, so that what comes together is one piece. A read costs little; what is done with a piece,
 * here and with everybody whom it is passed on to, is what costs.
 */
class Joined {
  readonly #source: Source;
  readonly #isCareful: boolean;
  readonly #pace = new Pace(isolate);
  readonly #utf8 = new TextDecoder();
  /** Asked for and not yet part of a piece. */
  #coming: Promise<Read> | undefined;
  #isOver = false;

  constructor(source: Source, isCareful: boolean) {
    this.#source = source;
    this.#isCareful = isCareful;
  }

  async next(): Promise<string | null> {
    if (this.#isOver) return null;
    const first = await (this.#coming ?? this.#ask());
    this.#coming = undefined;
    const { joinMs } = this.#pace;
    const { text, isLast } = joinMs === 0 || first.isLast ? first : await this.#joinedTo(first, joinMs);
    this.#isOver = isLast;
    return text;
  }

  /** `read` and what comes behind it within `ms`. What comes later, trouble too, stays for the next piece. */
  async #joinedTo(read: Read, ms: number): Promise<Read> {
    let { text, isLast } = read;
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, ms);
    while (!isLast && text.length < MOST_LENGTH) {
      this.#coming = this.#ask();
      const next = await Promise.race([this.#coming.catch(() => undefined), late]);
      if (next === undefined) break;
      this.#coming = undefined;
      text += next.text;
      isLast = next.isLast;
    }
    clearTimeout(timer);
    return { text, isLast };
  }

  async #ask(): Promise<Read> {
    const bytes = await this.#source.read(this.#isCareful ? 1 : this.#pace.minimum);
    if (bytes === null) return { text: this.#utf8.decode(), isLast: true };
    this.#pace.took(bytes.byteLength, performance.now());
    return { text: this.#utf8.decode(bytes, { stream: true }), isLast: false };
  }
}

function plainSource(body: ReadableStream<unknown>): Source {
  const reader = body.getReader();
  let isOver = false;
  return {
    isOver: () => isOver,
    async read() {
      const { done, value } = await reader.read();
      isOver = done;
      if (done) return null;
      if (value instanceof Uint8Array) return value;
      throw new TypeError("The body is not a stream of bytes.");
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

function joiningSource(body: ReadableStream<unknown>): Source | undefined {
  if (typeof ReadableStreamBYOBReader === "undefined" || !("readAtLeast" in ReadableStreamBYOBReader.prototype))
    return undefined;
  const reader = byobReader(body);
  if (reader === undefined) return undefined;
  let buffer = new Uint8Array(BUFFER_BYTES);
  let isOver = false;
  return {
    isOver: () => isOver,
    async read(minimum) {
      const { done, value } = await reader.readAtLeast(minimum, buffer);
      isOver = done || value.byteLength < minimum;
      if (done) return null;
      buffer = new Uint8Array(value.buffer);
      return value;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

function byobReader(body: ReadableStream<unknown>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    // A stream of JavaScript values, not of bytes.
    return undefined;
  }
}

async function drain(joined: Joined, source: Source): Promise<void> {
  const timer = setTimeout(() => {
    source.cancel(undefined).catch(() => {});
  }, DRAIN_MS);
  try {
    while ((await joined.next()) !== null);
  } catch {
    // The answer is complete: how its connection ends is of no interest.
  } finally {
    clearTimeout(timer);
  }
}

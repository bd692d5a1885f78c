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

/** What is there already is read before anything is said of what was read: so long a read may take that found it there. */
const THERE_MS = 1;
/** Of what is there at once: more is no better for being joined. */
const MOST_LENGTH = 16_384;

export type Pieces = {
  /** The next text; null at the end. Rejects with the signal's reason once aborted. */
  next(): Promise<string | null>;
  /** Reads on for a moment in the background when all is said and the end was not seen; never rejects. */
  drain(): void;
};

type Source = {
  /** Valid until the next call. */
  readonly read: () => Promise<Uint8Array | null>;
  readonly cancel: (reason: unknown) => Promise<void>;
  /** The end was seen: there is nothing left to read. */
  readonly isOver: () => boolean;
};

export function piecesOf(body: ReadableStream<unknown>, signal: AbortSignal): Pieces {
  const source = joiningSource(body) ?? plainSource(body);
  const joined = new Joined(source);
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

type Read = { readonly text: string; readonly isLast: boolean; readonly wasThere: boolean };

/**
 * Reads a chunk ahead, so that what has arrived together is one piece. A read costs little; what is done with a piece,
 * here and with everybody whom it is passed on to, is what costs. A chunk that was waited for passes
 * alone and at once, and so does the first.
 */
class Joined {
  readonly #source: Source;
  readonly #utf8 = new TextDecoder();
  /** Asked for and not yet part of a piece. */
  #coming: Promise<Read> | undefined;
  #isBegun = false;
  #isOver = false;

  constructor(source: Source) {
    this.#source = source;
  }

  async next(): Promise<string | null> {
    if (this.#isOver) return null;
    const first = await (this.#coming ?? this.#ask());
    this.#coming = undefined;
    const { text, isLast } = this.#isBegun && first.wasThere && !first.isLast ? await this.#joinedTo(first) : first;
    this.#isBegun = true;
    this.#isOver = isLast;
    return text;
  }

  /** `read` and what is there behind it. What comes later, trouble too, stays for the next piece. */
  async #joinedTo(read: Read): Promise<Read> {
    let { text, isLast } = read;
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(resolve, THERE_MS);
    while (!isLast && text.length < MOST_LENGTH) {
      this.#coming = this.#ask();
      const next = await Promise.race([this.#coming.catch(() => undefined), late]);
      if (next === undefined) break;
      this.#coming = undefined;
      text += next.text;
      isLast = next.isLast;
    }
    clearTimeout(timer);
    return { ...read, text, isLast };
  }

  async #ask(): Promise<Read> {
    const askedAt = performance.now();
    const bytes = await this.#source.read();
    const wasThere = performance.now() - askedAt <= THERE_MS;
    if (bytes === null) return { text: this.#utf8.decode(), isLast: true, wasThere };
    return { text: this.#utf8.decode(bytes, { stream: true }), isLast: false, wasThere };
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
  const pace = new Pace(isolate);
  let buffer = new Uint8Array(BUFFER_BYTES);
  let isOver = false;
  return {
    isOver: () => isOver,
    async read() {
      const { minimum } = pace;
      const { done, value } = await reader.readAtLeast(minimum, buffer);
      isOver = done || value.byteLength < minimum;
      if (done) return null;
      pace.took(value.byteLength, performance.now());
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

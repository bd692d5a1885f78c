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

export type Pieces = {
  /** The next bytes, valid until the next call; null at the end. Rejects with the signal's reason once aborted. */
  next(): Promise<Uint8Array | null>;
  /** Reads on for a moment in the background when all is said and the end was not seen; never rejects. */
  drain(): void;
};

type Source = {
  readonly read: () => Promise<Uint8Array | null>;
  readonly cancel: (reason: unknown) => Promise<void>;
  /** The end was seen: there is nothing left to read. */
  readonly isOver: () => boolean;
};

export function piecesOf(body: ReadableStream<unknown>, signal: AbortSignal): Pieces {
  const source = joiningSource(body) ?? plainSource(body);
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
        source.read().then(resolve, reject);
      }),
    drain() {
      signal.removeEventListener("abort", stop);
      if (!source.isOver()) void drain(source);
    },
  };
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

async function drain(source: Source): Promise<void> {
  const timer = setTimeout(() => {
    source.cancel(undefined).catch(() => {});
  }, DRAIN_MS);
  try {
    while ((await source.read()) !== null);
  } catch {
    // The answer is complete: how its connection ends is of no interest.
  } finally {
    clearTimeout(timer);
  }
}

// Reads the body of a model's answer in batches.
//
// A provider sends one chunk per token, and a plain read returns one chunk: on workerd that is one wake-up of
// JavaScript per token. The BYOB reader of workerd joins chunks before it wakes us (`readAtLeast`). Other bodies (Node,
// streams created in JavaScript) are read chunk by chunk, which is only slower.
//
// A `BodyReader` owns the body and its lock. Call `readAll` once, and `drain` once after it has resolved.
// - At most one read is pending. The next one starts once the bytes of the last are decoded; text that is buffered does
//   not delay it.
// - Text is passed on in order, after the delay that `ReadBatcher` sets or when `MAX_BUFFERED_LENGTH` is reached; all
//   text before the end or an error is passed on first. An abort of the signal discards it.
// - A late result of a read after the reader has settled is ignored.

import { Lateness, Pace, type Habit } from "./pace.ts";
import { interrupted } from "./trouble.ts";

/** The size of the buffer that the BYOB reader fills. */
const BUFFER_BYTES = 4_096;
/** The length in UTF-16 units at which buffered text is passed on without delay. */
const MOST_LENGTH = 16_384;
/** The maximum time in ms for the rest of the body after the answer; then the body is cancelled. */
const DRAIN_MS = 1_000;
/** The minimum time in ms between two probes of the event loop lag. */
const PROBE_MS = 20;

/** The lag of this isolate, shared by all readers. */
const isolate = new Lateness();
let probedAt = -Infinity;

/** Measures the lag with a 1 ms timer. Runs with reads only: an idle isolate sets no timers. */
function probe(now: number): void {
  if (now - probedAt < PROBE_MS) return;
  probedAt = now;
  setTimeout(() => isolate.ran(now + 1, performance.now()), 1);
}

type Read = { readonly done: boolean; readonly value?: unknown };

/** A body with or without batching. */
type Source = {
  /** Reads at least so many bytes if it can wait for them. Call `takeBytes` for the last read before. */
  readonly read: (minimum: number) => Promise<Read>;
  /** Returns the bytes of a read, valid until the next read; null at the end of the body. */
  readonly taken: (read: Read) => Uint8Array | null;
  readonly cancel: (reason: unknown) => Promise<void>;
};

type Promised<T> = ReturnType<typeof Promise.withResolvers<T>>;

/** `hearing` while `readAll` runs, `draining` while `drain` runs, otherwise `over`. */
type Phase =
  | { readonly kind: "hearing"; readonly hear: (text: string) => boolean; readonly heard: Promised<void> }
  | { readonly kind: "draining"; readonly drained: Promised<boolean> }
  | { readonly kind: "over" };

/** The reader of one body. Reading is cheap; processing each batch, here and in all later stages, is expensive. */
export class Pieces {
  readonly #source: Source;
  readonly #signal: AbortSignal;
  readonly #pace: Pace;
  readonly #utf8 = new TextDecoder();
  #phase: Phase = { kind: "over" };
  #isReading = false;
  #isAtEnd = false;
  /** Decoded text that has not been passed on. */
  #text = "";
  /** The timer of the next flush, or of the end of `drain`. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Locks the body. `profile` is the profile of its endpoint. */
  constructor(body: ReadableStream<unknown>, signal: AbortSignal, known: Habit) {
    this.#source = joiningSource(body) ?? plainSource(body);
    this.#signal = signal;
    this.#pace = new Pace(isolate, known);
  }

  /** Returns the new profile of the endpoint. Valid only if `drain` resolved with true. */
  get habit(): Habit {
    return this.#pace.habit;
  }

  /**
   * Passes text to `onText` until the body ends or `onText` returns true. Rejects with an error of `onText`; with a
   * `ModelFault` (`model_interrupted`) if the body breaks, after all text before it; with the signal's reason if it
   * aborts.
   */
  listen(hear: (text: string) => boolean): Promise<void> {
    const heard = Promise.withResolvers<void>();
    this.#phase = { kind: "hearing", hear, heard };
    if (this.#signal.aborted) this.#abort();
    else this.#signal.addEventListener("abort", this.#abort, { once: true });
    this.#read();
    return heard.promise;
  }

  /**
   * Reads and discards the rest of the body for at most `DRAIN_TIMEOUT_MS`, so that the connection can be reused.
   * Resolves with true if the body has ended. Never rejects.
   */
  drain(): Promise<boolean> {
    this.#signal.removeEventListener("abort", this.#abort);
    // An end after an abort is caused by the abort.
    if (this.#isAtEnd || this.#signal.aborted) return Promise.resolve(this.#isAtEnd);
    const drained = Promise.withResolvers<boolean>();
    this.#phase = { kind: "draining", drained };
    this.#timer = setTimeout(() => {
      drained.resolve(false);
      this.#source.cancel(undefined).catch(() => {});
    }, DRAIN_MS);
    this.#read();
    return drained.promise;
  }

  #read(): void {
    if (this.#isReading || this.#phase.kind === "over") return;
    this.#isReading = true;
    this.#source.read(this.#pace.minimum).then(this.#take, this.#broke);
  }

  readonly #take = (read: Read): void => {
    this.#isReading = false;
    if (this.#phase.kind === "over") return;
    const bytes = this.#source.taken(read);
    if (bytes === null) {
      this.#isAtEnd = true;
      return this.#end();
    }
    if (this.#phase.kind === "hearing") {
      const now = performance.now();
      probe(now);
      this.#pace.took(bytes.byteLength, now);
      this.#text += this.#utf8.decode(bytes, { stream: true });
      this.#join();
    }
    this.#read();
  };

  /** Passes the text on at once, or later together with the text behind it. */
  #join(): void {
    if (this.#text === "") return;
    const { joinMs } = this.#pace;
    if (joinMs === 0 || this.#text.length >= MOST_LENGTH) return this.#pass();
    this.#timer ??= setTimeout(() => this.#pass(), joinMs);
  }

  #pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#phase.kind !== "hearing") return;
    const { hear, heard } = this.#phase;
    const text = this.#text;
    this.#text = "";
    try {
      if (text === "" || !hear(text)) return;
      this.#phase = { kind: "over" };
      heard.resolve();
    } catch (thrown) {
      this.#phase = { kind: "over" };
      heard.reject(thrown);
    }
  }

  readonly #broke = (cause: unknown): void => this.#end(interrupted(cause));

  /** Passes on the last text, then settles: with `error`, unless the end of the body was seen. */
  #end(trouble?: unknown): void {
    this.#text += this.#utf8.decode();
    this.#pass();
    this.#settle(trouble);
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal.reason;
    this.#settle(reason);
    this.#source.cancel(reason).catch(() => {});
  };

  /** Settles the promise of the current phase, once. */
  #settle(trouble: unknown): void {
    clearTimeout(this.#timer);
    const phase = this.#phase;
    this.#phase = { kind: "over" };
    switch (phase.kind) {
      case "hearing":
        return this.#isAtEnd ? phase.heard.resolve() : phase.heard.reject(trouble);
      case "draining":
        return phase.drained.resolve(this.#isAtEnd);
      case "over":
        return;
    }
  }
}

/** Reads one chunk at a time and ignores the minimum. */
function plainSource(body: ReadableStream<unknown>): Source {
  const reader = body.getReader();
  return {
    async read() {
      const read = await reader.read();
      if (read.done || read.value instanceof Uint8Array) return read;
      throw new TypeError("The body is not a stream of bytes.");
    },
    taken: bytesIn,
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Reads with `readAtLeast` of workerd; undefined if the runtime or this body does not support it. */
function joiningSource(body: ReadableStream<unknown>): Source | undefined {
  if (typeof ReadableStreamBYOBReader === "undefined" || !("readAtLeast" in ReadableStreamBYOBReader.prototype))
    return undefined;
  const reader = byobReader(body);
  if (reader === undefined) return undefined;
  let buffer = new Uint8Array(BUFFER_BYTES);
  return {
    read: (minimum) => reader.readAtLeast(minimum, buffer),
    taken(read) {
      // A BYOB read detaches the buffer; its memory comes back with the result.
      const bytes = bytesIn(read);
      if (bytes !== null) buffer = new Uint8Array(bytes.buffer);
      return bytes;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

function bytesIn({ done, value }: Read): Uint8Array<ArrayBuffer> | null {
  return done ? null : (value as Uint8Array<ArrayBuffer>);
}

function byobReader(body: ReadableStream<unknown>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    // The stream contains JavaScript values instead of bytes.
    return undefined;
  }
}

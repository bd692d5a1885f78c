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

import { EventLoopLag, ReadBatcher, type EndpointProfile } from "./read-batching.ts";
import { createInterruptedFailure } from "./model-errors.ts";

/** The size in bytes of the buffer that the BYOB reader fills. */
const BUFFER_BYTES = 4_096;
/** The length in UTF-16 units at which buffered text is passed on without delay. */
const MAX_BUFFERED_LENGTH = 16_384;
/** The maximum time in ms for the rest of the body after the answer; then the body is cancelled. */
const DRAIN_TIMEOUT_MS = 1_000;
/** The minimum time in ms between two probes of the event loop lag. */
const PROBE_INTERVAL_MS = 20;

/** The lag of this isolate, shared by all readers. */
const eventLoopLag = new EventLoopLag();
let lastProbeAt = -Infinity;

/** Measures the lag with a 1 ms timer. Runs with reads only: an idle isolate sets no timers. */
function probeLag(now: number): void {
  if (now - lastProbeAt < PROBE_INTERVAL_MS) return;
  lastProbeAt = now;
  setTimeout(() => eventLoopLag.recordTimer(now + 1, performance.now()), 1);
}

type BodyReadResult = { readonly done: boolean; readonly value?: unknown };

/** A body with or without batching. */
type BodySource = {
  /**
   * Reads at least `minimum` bytes, if it can wait for them, or fewer at the end. First call `takeBytes` for the last
   * read.
   */
  readonly read: (minimum: number) => Promise<BodyReadResult>;
  /** Returns the bytes of a read, valid until the next read; null at the end of the body. */
  readonly takeBytes: (read: BodyReadResult) => Uint8Array | null;
  readonly cancel: (reason: unknown) => Promise<void>;
};

type DeferredPromise<T> = ReturnType<typeof Promise.withResolvers<T>>;

/** `reading` while `readAll` runs, `draining` while `drain` runs, otherwise `over`. */
type ReaderPhase =
  | { readonly kind: "reading"; readonly onText: (text: string) => boolean; readonly done: DeferredPromise<void> }
  | { readonly kind: "draining"; readonly drained: DeferredPromise<boolean> }
  | { readonly kind: "over" };

/** The reader of one body. Reading is cheap; processing each batch, here and in all later stages, is expensive. */
export class BodyReader {
  readonly #source: BodySource;
  readonly #signal: AbortSignal;
  readonly #batcher: ReadBatcher;
  readonly #utf8 = new TextDecoder();
  #phase: ReaderPhase = { kind: "over" };
  #isReading = false;
  #isAtEnd = false;
  /** Decoded text that has not been passed on. */
  #bufferedText = "";
  /** The timer of the next flush, or of the end of `drain`. */
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Locks the body. `profile` is the profile of its endpoint. */
  constructor(body: ReadableStream<unknown>, signal: AbortSignal, profile: EndpointProfile) {
    this.#source = createBatchingSource(body) ?? createPlainSource(body);
    this.#signal = signal;
    this.#batcher = new ReadBatcher(eventLoopLag, profile);
  }

  /** Returns the new profile of the endpoint. Valid only if `drain` resolved with true. */
  get profile(): EndpointProfile {
    return this.#batcher.profile;
  }

  /**
   * Passes text to `onText` until the body ends or `onText` returns true. Rejects with an error of `onText`; with a
   * `Failure` (`model_interrupted`) if the body breaks, after all text before it; with the signal's reason if it
   * aborts.
   */
  readAll(onText: (text: string) => boolean): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#phase = { kind: "reading", onText, done };
    if (this.#signal.aborted) this.#handleAbort();
    else this.#signal.addEventListener("abort", this.#handleAbort, { once: true });
    this.#startRead();
    return done.promise;
  }

  /**
   * Reads and discards the rest of the body for at most `DRAIN_TIMEOUT_MS`, so that the connection can be reused.
   * Resolves with true if the body has ended. Never rejects.
   */
  drain(): Promise<boolean> {
    this.#signal.removeEventListener("abort", this.#handleAbort);
    // An end after an abort is caused by the abort.
    if (this.#isAtEnd || this.#signal.aborted) return Promise.resolve(this.#isAtEnd);
    const drained = Promise.withResolvers<boolean>();
    this.#phase = { kind: "draining", drained };
    this.#timer = setTimeout(() => {
      drained.resolve(false);
      this.#source.cancel(undefined).catch(() => {});
    }, DRAIN_TIMEOUT_MS);
    this.#startRead();
    return drained.promise;
  }

  #startRead(): void {
    if (this.#isReading || this.#phase.kind === "over") return;
    this.#isReading = true;
    this.#source.read(this.#batcher.minBytes).then(this.#handleRead, this.#handleError);
  }

  readonly #handleRead = (read: BodyReadResult): void => {
    this.#isReading = false;
    if (this.#phase.kind === "over") return;
    const bytes = this.#source.takeBytes(read);
    if (bytes === null) {
      this.#isAtEnd = true;
      return this.#end();
    }
    if (this.#phase.kind === "reading") {
      const now = performance.now();
      probeLag(now);
      this.#batcher.recordRead(bytes.byteLength, now);
      this.#bufferedText += this.#utf8.decode(bytes, { stream: true });
      this.#scheduleFlush();
    }
    this.#startRead();
  };

  /** Passes the text on at once, or later together with the text behind it. */
  #scheduleFlush(): void {
    if (this.#bufferedText === "") return;
    const { bufferMs } = this.#batcher;
    if (bufferMs === 0 || this.#bufferedText.length >= MAX_BUFFERED_LENGTH) return this.#flush();
    this.#timer ??= setTimeout(() => this.#flush(), bufferMs);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#phase.kind !== "reading") return;
    const { onText, done } = this.#phase;
    const text = this.#bufferedText;
    this.#bufferedText = "";
    try {
      if (text === "" || !onText(text)) return;
      this.#phase = { kind: "over" };
      done.resolve();
    } catch (thrown) {
      this.#phase = { kind: "over" };
      done.reject(thrown);
    }
  }

  readonly #handleError = (cause: unknown): void => this.#end(createInterruptedFailure(cause));

  /** Passes on the last text, then settles: with `error`, unless the end of the body was seen. */
  #end(error?: unknown): void {
    this.#bufferedText += this.#utf8.decode();
    this.#flush();
    this.#settle(error);
  }

  readonly #handleAbort = (): void => {
    const reason: unknown = this.#signal.reason;
    this.#settle(reason);
    this.#source.cancel(reason).catch(() => {});
  };

  /** Settles the promise of the current phase, once. */
  #settle(error: unknown): void {
    clearTimeout(this.#timer);
    const phase = this.#phase;
    this.#phase = { kind: "over" };
    switch (phase.kind) {
      case "reading":
        return this.#isAtEnd ? phase.done.resolve() : phase.done.reject(error);
      case "draining":
        return phase.drained.resolve(this.#isAtEnd);
      case "over":
        return;
    }
  }
}

/** Reads one chunk at a time and ignores the minimum. */
function createPlainSource(body: ReadableStream<unknown>): BodySource {
  const reader = body.getReader();
  return {
    async read() {
      const read = await reader.read();
      if (read.done || read.value instanceof Uint8Array) return read;
      throw new TypeError("The body is not a stream of bytes.");
    },
    takeBytes: getBytes,
    cancel: (reason) => reader.cancel(reason),
  };
}

/** Reads with `readAtLeast` of workerd; undefined if the runtime or this body does not support it. */
function createBatchingSource(body: ReadableStream<unknown>): BodySource | undefined {
  if (typeof ReadableStreamBYOBReader === "undefined" || !("readAtLeast" in ReadableStreamBYOBReader.prototype))
    return undefined;
  const reader = getByobReader(body);
  if (reader === undefined) return undefined;
  let buffer = new Uint8Array(BUFFER_BYTES);
  return {
    read: (minimum) => reader.readAtLeast(minimum, buffer),
    takeBytes(read) {
      // A BYOB read detaches the buffer; its memory comes back with the result.
      const bytes = getBytes(read);
      if (bytes !== null) buffer = new Uint8Array(bytes.buffer);
      return bytes;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

function getBytes({ done, value }: BodyReadResult): Uint8Array<ArrayBuffer> | null {
  return done ? null : (value as Uint8Array<ArrayBuffer>);
}

function getByobReader(body: ReadableStream<unknown>): ReadableStreamBYOBReader | undefined {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    // The stream contains JavaScript values instead of bytes.
    return undefined;
  }
}

// The body of a model's answer, in pieces that are worth waking up for.
//
// A provider sends a chunk per token, and a plain read returns one chunk: on workerd that is a wake-up
// of JavaScript per token. Its BYOB reader can join chunks before it wakes us (`readAtLeast`). Where a
// body cannot do that (Node, streams made in JavaScript) each read is one chunk, and nothing is lost but speed.

import { Lateness, Pace, type Habit } from "./pace.ts";
import { interrupted } from "./trouble.ts";

const BUFFER_BYTES = 4_096;
/** Of what is there at once: more is no better for being joined. */
const MOST_LENGTH = 16_384;
/** How long the rest of an answered request may take, so that its connection can be used again. */
const DRAIN_MS = 1_000;
/** So often a timer is set to see how late it is. */
const PROBE_MS = 20;

const isolate = new Lateness();
let probedAt = -Infinity;

function probe(now: number): void {
  if (now - probedAt < PROBE_MS) return;
  probedAt = now;
  setTimeout(() => isolate.ran(now + 1, performance.now()), 1);
}

type Read = { readonly done: boolean; readonly value?: unknown };

type Source = {
  /** Reads at least so many bytes, where it can wait for them. Not before the last read was taken. */
  readonly read: (minimum: number) => Promise<Read>;
  /** The bytes that were read, valid until the next read; null at the end. */
  readonly taken: (read: Read) => Uint8Array | null;
  readonly cancel: (reason: unknown) => Promise<void>;
};

type Promised<T> = ReturnType<typeof Promise.withResolvers<T>>;

/** Everything that is still to be heard; what comes behind the last word; nothing. */
type Phase =
  | { readonly kind: "hearing"; readonly hear: (text: string) => boolean; readonly heard: Promised<void> }
  | { readonly kind: "draining"; readonly drained: Promised<boolean> }
  | { readonly kind: "over" };

/**
 * Reads on all the time, so that what comes together is one piece. A read costs little; what is done with a piece,
 * here and with everybody whom it is passed on to, is what costs.
 */
export class Pieces {
  readonly #source: Source;
  readonly #signal: AbortSignal;
  readonly #pace: Pace;
  readonly #utf8 = new TextDecoder();
  #phase: Phase = { kind: "over" };
  #isReading = false;
  #isAtEnd = false;
  /** What was read and not yet passed on. */
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `known` is what the endpoint is like. */
  constructor(body: ReadableStream<unknown>, signal: AbortSignal, known: Habit) {
    this.#source = joiningSource(body) ?? plainSource(body);
    this.#signal = signal;
    this.#pace = new Pace(isolate, known);
  }

  /** What the endpoint is like by this answer, if it has come to its end. */
  get habit(): Habit {
    return this.#pace.habit;
  }

  /**
   * Passes the text on until it ends or `hear` says that it has all it wants. Rejects with what `hear` throws, with
   * a `ModelFault` where the body breaks, after all that came before, and with the signal's reason once aborted.
   */
  listen(hear: (text: string) => boolean): Promise<void> {
    const heard = Promise.withResolvers<void>();
    this.#phase = { kind: "hearing", hear, heard };
    if (this.#signal.aborted) this.#abort();
    else this.#signal.addEventListener("abort", this.#abort, { once: true });
    this.#read();
    return heard.promise;
  }

  /** Reads on for a moment when all is said and the end was not seen: whether there is an end. Never rejects. */
  drain(): Promise<boolean> {
    this.#signal.removeEventListener("abort", this.#abort);
    // An end that is read after an abort is our own.
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

  /** Passes the text on, now or a while later with what comes behind it. */
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

  /** No more will come; `trouble` unless the end was seen. */
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

function joiningSource(body: ReadableStream<unknown>): Source | undefined {
  if (typeof ReadableStreamBYOBReader === "undefined" || !("readAtLeast" in ReadableStreamBYOBReader.prototype))
    return undefined;
  const reader = byobReader(body);
  if (reader === undefined) return undefined;
  let buffer = new Uint8Array(BUFFER_BYTES);
  return {
    read: (minimum) => reader.readAtLeast(minimum, buffer),
    taken(read) {
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
    // A stream of JavaScript values, not of bytes.
    return undefined;
  }
}

// The body of a model's answer, in pieces that are worth waking up for.
//
// A provider sends a chunk per token, and a plain read returns one chunk: on workerd that is a wake-up
// of JavaScript per token. Its BYOB reader can join chunks before it wakes us (`readAtLeast`). Where a
// body cannot do that (Node, streams made in JavaScript) each read is one chunk, and nothing is lost but speed.

import { Lateness, Pace } from "./pace.ts";

const BUFFER_BYTES = 16_384;
/** Of what is there at once: more is no better for being joined. */
const MOST_LENGTH = 16_384;
/** How long the rest of an answered request may take, so that its connection can be used again. */
const DRAIN_MS = 1_000;
const isolate = new Lateness();

type Source = {
  /** The next bytes, valid until the next call: at least so many, where it can wait for them. */
  readonly read: (minimum: number) => Promise<Uint8Array | null>;
  readonly cancel: (reason: unknown) => Promise<void>;
  /** The end was seen: there is nothing left to read. */
  readonly isOver: () => boolean;
};

type Waiting = { readonly resolve: (text: string | null) => void; readonly reject: (reason: unknown) => void };

/**
 * Reads on while somebody waits, so that what comes together is one piece. A read costs little; what is done with a
 * piece, here and with everybody whom it is passed on to, is what costs.
 */
export class Pieces {
  readonly #source: Source;
  readonly #signal: AbortSignal;
  readonly #isCareful: boolean;
  readonly #pace = new Pace(isolate);
  readonly #utf8 = new TextDecoder();
  readonly #took = (bytes: Uint8Array | null) => this.#take(bytes);
  readonly #broke = (reason: unknown) => this.#break(reason);
  readonly #stop = () => this.#abort();
  /** What was read and not yet passed on. */
  #text = "";
  #isReading = false;
  #waiting: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** No more will come; with the reason if something broke. */
  #ended: { readonly reason?: unknown } | undefined;

  /** `isCareful`: no read waits for more bytes than one, however fast they come. */
  constructor(body: ReadableStream<unknown>, signal: AbortSignal, isCareful: boolean) {
    this.#source = joiningSource(body) ?? plainSource(body);
    this.#signal = signal;
    this.#isCareful = isCareful;
    if (signal.aborted) this.#abort();
    else signal.addEventListener("abort", this.#stop, { once: true });
  }

  /**
   * The next text; null at the end. One at a time. Rejects with what broke the body, after all that came before, and
   * with the signal's reason once aborted.
   */
  next(): Promise<string | null> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      if (this.#ended !== undefined) this.#pass();
      else this.#join();
    });
  }

  /** Reads on for a moment when all is said and the end was not seen: whether there is an end. Never rejects. */
  async drain(): Promise<boolean> {
    this.#signal.removeEventListener("abort", this.#stop);
    if (this.#source.isOver()) return true;
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#source.cancel(undefined).catch(() => {});
    }, DRAIN_MS);
    try {
      while ((await this.next()) !== null);
      return !isLate;
    } catch {
      // The answer is complete: how its connection ends is of no interest to who asked.
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  #read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#source.read(this.#isCareful ? 1 : this.#pace.minimum).then(this.#took, this.#broke);
  }

  #take(bytes: Uint8Array | null): void {
    this.#isReading = false;
    if (this.#ended !== undefined) return;
    if (bytes === null) {
      this.#text += this.#utf8.decode();
      return this.#end({});
    }
    this.#pace.took(bytes.byteLength, performance.now());
    this.#text += this.#utf8.decode(bytes, { stream: true });
    if (this.#waiting !== undefined) this.#join();
  }

  #end(ended: { readonly reason?: unknown }): void {
    this.#ended = ended;
    if (this.#waiting !== undefined) this.#pass();
  }

  #break(reason: unknown): void {
    this.#isReading = false;
    if (this.#ended === undefined) this.#end({ reason });
  }

  #abort(): void {
    const reason: unknown = this.#signal.reason;
    this.#text = "";
    this.#end({ reason });
    this.#source.cancel(reason).catch(() => {});
  }

  /** Waits for text, and a while for what comes behind it. */
  #join(): void {
    if (this.#text === "") return this.#read();
    const { joinMs } = this.#pace;
    if (joinMs === 0 || this.#text.length >= MOST_LENGTH) return this.#pass();
    this.#timer ??= this.#passIn(joinMs);
    this.#read();
  }

  #passIn(ms: number): ReturnType<typeof setTimeout> {
    const due = performance.now() + ms;
    return setTimeout(() => {
      isolate.ran(due, performance.now());
      this.#pass();
    }, ms);
  }

  #pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    const text = this.#text;
    this.#text = "";
    if (text !== "") waiting?.resolve(text);
    else if (this.#ended !== undefined && "reason" in this.#ended) waiting?.reject(this.#ended.reason);
    else waiting?.resolve(null);
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

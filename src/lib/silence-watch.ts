// Ends an operation after too much silence or too much time, or when its caller aborts. It owns the signal of the
// operation and one timer.
//
// - Silence counts only after `touch` and until `suspend`: our own slow reader is not the other side's fault.
// - The signal aborts at most once; its first reason stays.
// - One timer serves any number of touches: when it fires it compares times, and is set again if it is too early.
//   `touch` itself only stores a time, since it runs with every read.
//
// Create one watch per operation, pass its `signal` to everything that the operation starts, and end it with `stop` or
// `abort`; otherwise its timer and listener leak.

/** The limits in ms: of silence and, if given, of the whole operation. */
export type WatchLimits = { readonly silenceMs: number; readonly timeoutMs?: number };

/** Aborts its signal with the result of `createReason`, or with the reason of `abort`. */
export class SilenceWatch {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #createReason: (end: "silent" | "timeout" | "aborted") => unknown;
  readonly #deadline: number;
  #silenceMs: number;
  /** The time of the last touch; undefined while silence does not count. */
  #touchedAt: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    caller: AbortSignal,
    { silenceMs, timeoutMs = Number.POSITIVE_INFINITY }: WatchLimits,
    createReason: (end: "silent" | "timeout" | "aborted") => unknown,
  ) {
    this.#caller = caller;
    this.#createReason = createReason;
    this.#silenceMs = silenceMs;
    this.#deadline = Date.now() + timeoutMs;
    if (caller.aborted) this.#handleCallerAbort();
    else {
      caller.addEventListener("abort", this.#handleCallerAbort, { once: true });
      this.#startTimer();
    }
  }

  /** The signal of the operation. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Counts silence from now on. */
  touch(): void {
    this.#touchedAt = Date.now();
  }

  /** Stops counting silence until the next `touch`. */
  suspend(): void {
    this.#touchedAt = undefined;
  }

  /** Reduces the limit of silence and counts from now on; does nothing if it is shorter already. */
  shorten(silenceMs: number): void {
    if (silenceMs >= this.#silenceMs) return;
    this.#silenceMs = silenceMs;
    this.touch();
    clearTimeout(this.#timer);
    this.#startTimer();
  }

  /** Ends the watch without an abort; work under its signal continues. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener("abort", this.#handleCallerAbort);
  }

  /** Ends the watch and aborts its signal. */
  abort(reason: unknown): void {
    this.stop();
    this.#controller.abort(reason);
  }

  readonly #handleCallerAbort = (): void => this.abort(this.#createReason("aborted"));

  #startTimer(): void {
    const now = Date.now();
    const silentAt = (this.#touchedAt ?? now) + this.#silenceMs;
    this.#timer = setTimeout(this.#checkTimes, Math.max(0, Math.min(silentAt, this.#deadline) - now) + 1);
  }

  readonly #checkTimes = (): void => {
    const now = Date.now();
    if (now >= this.#deadline) this.abort(this.#createReason("timeout"));
    else if (this.#touchedAt !== undefined && now - this.#touchedAt >= this.#silenceMs)
      this.abort(this.#createReason("silent"));
    else this.#startTimer();
  };
}

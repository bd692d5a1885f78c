// The silence timeout of one attempt, combined with the caller's abort signal.
//
// Create one watch per attempt, pass its `signal` to everything that the attempt starts, and end it with `stop` or
// `abort`; otherwise its timer and listener leak.
// - One timer serves any number of touches: when it fires it compares the time of the last touch, and is set again if
//   the silence was not long enough. `touch` itself only stores a time, since it runs with every read.
// - The signal aborts at most once; its first reason stays.

/**
 * Aborts its signal when the caller aborts, or with the result of `createTimeoutError` after `silenceMs` without a
 * touch.
 */
export class AttemptWatch {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #createTimeoutError: () => unknown;
  #silenceMs: number;
  #touchedAt = Date.now();
  #timer: ReturnType<typeof setTimeout>;

  constructor(caller: AbortSignal, silenceMs: number, createTimeoutError: () => unknown) {
    this.#caller = caller;
    this.#silenceMs = silenceMs;
    this.#createTimeoutError = createTimeoutError;
    this.#timer = setTimeout(this.#checkSilence, silenceMs);
    if (caller.aborted) this.#handleCallerAbort();
    else caller.addEventListener("abort", this.#handleCallerAbort, { once: true });
  }

  /** The signal of the attempt. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Restarts the silence timeout. */
  touch(): void {
    this.#touchedAt = Date.now();
  }

  /** Reduces the timeout to `silenceMs` and restarts it; does nothing if it is shorter already. */
  shorten(silenceMs: number): void {
    if (silenceMs >= this.#silenceMs) return;
    this.#silenceMs = silenceMs;
    this.touch();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#checkSilence, silenceMs);
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

  readonly #handleCallerAbort = (): void => this.abort(this.#caller.reason);

  readonly #checkSilence = (): void => {
    const leftMs = this.#touchedAt + this.#silenceMs - Date.now();
    if (leftMs <= 0) this.abort(this.#createTimeoutError());
    else this.#timer = setTimeout(this.#checkSilence, leftMs);
  };
}

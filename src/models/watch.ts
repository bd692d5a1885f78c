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
export class Watch {
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal;
  readonly #tooSilent: () => unknown;
  #silenceMs: number;
  #touchedAt = Date.now();
  #timer: ReturnType<typeof setTimeout>;

  constructor(caller: AbortSignal, silenceMs: number, tooSilent: () => unknown) {
    this.#caller = caller;
    this.#silenceMs = silenceMs;
    this.#tooSilent = tooSilent;
    this.#timer = setTimeout(this.#look, silenceMs);
    if (caller.aborted) this.#giveUp();
    else caller.addEventListener("abort", this.#giveUp, { once: true });
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
    this.#timer = setTimeout(this.#look, silenceMs);
  }

  /** Ends the watch without an abort; work under its signal continues. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener("abort", this.#giveUp);
  }

  /** Ends the watch and aborts its signal. */
  abort(reason: unknown): void {
    this.stop();
    this.#controller.abort(reason);
  }

  readonly #giveUp = (): void => this.abort(this.#caller.reason);

  readonly #look = (): void => {
    const leftMs = this.#touchedAt + this.#silenceMs - Date.now();
    if (leftMs <= 0) this.abort(this.#tooSilent());
    else this.#timer = setTimeout(this.#look, leftMs);
  };
}

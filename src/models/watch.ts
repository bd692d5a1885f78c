/**
 * Watches over one attempt: its signal aborts with the caller's reason when the caller gives up, and with
 * `tooSilent()` after `silenceMs` without a `touch`. One timer serves many touches: it looks at the
 * time of the last one when it goes off.
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

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  touch(): void {
    this.#touchedAt = Date.now();
  }

  /** From now on silence may last no longer than this. */
  shorten(silenceMs: number): void {
    if (silenceMs >= this.#silenceMs) return;
    this.#silenceMs = silenceMs;
    this.touch();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#look, silenceMs);
  }

  /** Ends the watch; whatever still runs under its signal goes on. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#caller.removeEventListener("abort", this.#giveUp);
  }

  /** Ends the watch and whatever still runs under its signal. */
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

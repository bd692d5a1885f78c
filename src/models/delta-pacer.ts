// Passes the deltas of one completion on in pieces of bounded length: storing and sending a piece keeps the isolate busy,
// and other conversations run between two pieces.
//
// A pacer owns the pieces that wait. A short delta is passed on at once unless others wait; the order is kept. The owner
// must await `finish` before it reports the end of the completion or its error. After an abort nothing is passed on.

import type { ModelDelta } from "../core/ports.ts";
import { waitForOtherWork } from "../lib/other-work.ts";
import { splitText } from "../lib/text-size.ts";

/** The length of the longest piece in UTF-16 units. */
const MAX_PIECE_CHARS = 16 * 1024;

/** One instance per completion. */
export class DeltaPacer {
  readonly #onDelta: (delta: ModelDelta) => void;
  readonly #signal: AbortSignal;
  readonly #waiting: ModelDelta[] = [];
  /** Set while pieces wait; rejected for good after an error of `onDelta` or an abort. */
  #passing: Promise<void> | undefined;

  constructor(onDelta: (delta: ModelDelta) => void, signal: AbortSignal) {
    this.#onDelta = onDelta;
    this.#signal = signal;
  }

  /** Passes a delta on, now or after those that wait. Throws the error of `onDelta` if it is passed on now. */
  readonly write = (delta: ModelDelta): void => {
    if (this.#passing === undefined && delta.text.length <= MAX_PIECE_CHARS) return this.#onDelta(delta);
    for (const text of splitText(delta.text, MAX_PIECE_CHARS)) this.#waiting.push({ type: delta.type, text });
    this.#passing ??= this.#passWaiting();
    this.#passing.catch(() => undefined);
  };

  /** Resolves once everything was passed on. Rejects with an error of `onDelta`, or with the reason of the abort. */
  async finish(): Promise<void> {
    await this.#passing;
  }

  async #passWaiting(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#signal.throwIfAborted();
      this.#onDelta(next);
      await waitForOtherWork();
    }
    this.#passing = undefined;
  }
}

// The journal of one thread: its steps by name, finished or in progress.
//
// Owns an index of step names to positions, which is read once; afterwards every change goes through this object. Only
// the current run of the thread may use it. `put` must be called inside the transaction that publishes the step's
// events (T4); if the transaction fails, the object is reset, and the index with it.

import type { Store, StoredStep } from "./store.ts";

/** The steps of one thread. */
export class Journal {
  readonly #store: Store;
  readonly #seq: number;
  /** The position of each step in the thread, by name. */
  readonly #places: Map<string, number>;

  /** `seq` is that of the thread's first event. A new thread has no steps, so the index is not read. */
  constructor(store: Store, seq: number, isNew = false) {
    this.#store = store;
    this.#seq = seq;
    this.#places = isNew ? new Map<string, number>() : store.steps(seq);
  }

  /** Returns the stored step; null if it has not been stored yet. `since` is null once it has finished. */
  get(name: string): StoredStep | null {
    const place = this.#places.get(name);
    return place === undefined ? null : this.#store.step(this.#seq, place);
  }

  /** Stores a step at its existing position, or at the next free one. */
  put(name: string, step: StoredStep): void {
    const place = this.#places.get(name) ?? this.#places.size;
    this.#store.putStep(this.#seq, place, name, step);
    this.#places.set(name, place);
  }
}

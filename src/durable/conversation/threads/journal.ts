// The journal of one thread: its steps by name, finished or in progress.
//
// Owns an index of step names to positions, which is read once; afterwards every change goes through this object. Only
// the current run of the thread may use it. `put` must be called inside the transaction that publishes the step's
// events (T4); if the transaction fails, the object is reset, and the index with it.

import type { ConversationStore, StoredStep } from "../storage/conversation-store.ts";

/** The steps of one thread. */
export class Journal {
  readonly #store: ConversationStore;
  readonly #seq: number;
  /** The position of each step in the thread, by name. */
  readonly #positions: Map<string, number>;

  /** `seq` is that of the thread's first event. A new thread has no steps, so the index is not read. */
  constructor(store: ConversationStore, seq: number, isNew = false) {
    this.#store = store;
    this.#seq = seq;
    this.#positions = isNew ? new Map<string, number>() : store.listSteps(seq);
  }

  /** Returns the stored step, finished or in progress (see `StoredStep`); null if there is none of this name. */
  get(name: string): StoredStep | null {
    const position = this.#positions.get(name);
    return position === undefined ? null : this.#store.getStep(this.#seq, position);
  }

  /** Stores a step at its existing position in the journal, or at the next free one. */
  put(name: string, step: StoredStep): void {
    const position = this.#positions.get(name) ?? this.#positions.size;
    this.#store.putStep(this.#seq, position, name, step);
    this.#positions.set(name, position);
  }
}

import type { Store, StoredStep } from "./store.ts";

/** The steps of one thread, as far as they have come. Which there are is asked once: what is added is known. */
export class Journal {
  readonly #store: Store;
  readonly #seq: number;
  /** The places of the steps in the thread, by name. */
  readonly #places: Map<string, number>;

  /** `seq` is the number of the thread's first event. Of one that `isNew` there are no steps, and none is asked for. */
  constructor(store: Store, seq: number, isNew = false) {
    this.#store = store;
    this.#seq = seq;
    this.#places = isNew ? new Map<string, number>() : store.steps(seq);
  }

  get(name: string): StoredStep | null {
    const place = this.#places.get(name);
    return place === undefined ? null : this.#store.step(this.#seq, place);
  }

  put(name: string, step: StoredStep): void {
    const place = this.#places.get(name) ?? this.#places.size;
    this.#store.putStep(this.#seq, place, name, step);
    this.#places.set(name, place);
  }
}

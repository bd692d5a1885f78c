// The journal of one thread: its steps by name, finished or in progress.
//
// A value longer than `MAX_PART_CHARS` is stored in several rows: the first under the name of the step, the others under
// its name with a number. Parts of an earlier, longer value are emptied.
//
// Owns an index of step names to positions, which is read once; afterwards every change goes through this object. Only
// the current run of the thread may use it. `put` must be called inside the transaction that publishes the step's
// events (T4); if the transaction fails, the object is reset, and the index with it.

import { splitText } from "../../../lib/text-size.ts";
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
    const first = this.#getPart(name);
    if (first === null) return null;
    let { value } = first;
    for (let part = 1; ; part++) {
      const next = this.#getPart(formatPartName(name, part));
      if (next === null || next.value === "") return { ...first, value };
      value += next.value;
    }
  }

  #getPart(partName: string): StoredStep | null {
    const position = this.#positions.get(partName);
    return position === undefined ? null : this.#store.getStep(this.#seq, position);
  }

  /** Stores a step at its existing position in the journal, or at the next free one. */
  put(name: string, { value, since }: StoredStep): void {
    const parts = [...splitText(value, MAX_PART_CHARS)];
    for (const [part, text] of parts.entries()) this.#putPart(formatPartName(name, part), { value: text, since });
    for (let part = parts.length; this.#positions.has(formatPartName(name, part)); part++)
      this.#putPart(formatPartName(name, part), { value: "", since });
  }

  #putPart(partName: string, step: StoredStep): void {
    const position = this.#positions.get(partName) ?? this.#positions.size;
    this.#store.putStep(this.#seq, position, partName, step);
    this.#positions.set(partName, position);
  }
}

/** The maximum length of one stored part in UTF-16 units. */
const MAX_PART_CHARS = 256 * 1024;

/** Returns the name of a part: that of its step for the first. No step name contains a line feed. */
function formatPartName(name: string, part: number): string {
  return part === 0 ? name : `${name}\n${part}`;
}

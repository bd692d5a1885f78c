// Reads a user's conversations from the directory, most recently updated first.
//
// State: one buffered page of the directory, the position after the last taken conversation, and the position of the
// next page. Call `prefetch` before `next`; call `take` only if `next` is not null. Not safe for concurrent calls.
// Buffered conversations that were not taken are read again from `position` by the next request.

import { cursorOf } from "../cursor.ts";
import type { Verbs } from "../verbs.ts";

/** The number of conversations that are read at once. */
const PAGE = 20;

/** A cursor over the conversations of a user. `takenCount` is the number of conversations that were taken. */
export class Shelf {
  opened = 0;
  readonly #verbs: Verbs;
  #cursor: string | null;
  #place: string | null;
  #waiting: { readonly id: string; readonly updatedAt: number; readonly cursor: string }[] = [];

  /** `cursor` is the position to start from: "" for the beginning, null for the end. */
  constructor(verbs: Verbs, cursor: string | null) {
    this.#verbs = verbs;
    this.#cursor = cursor;
    this.#place = cursor;
  }

  /** The next conversation, as far as `prefetch` has read; null at the end. */
  get next(): { readonly updatedAt: number } | null {
    return this.#waiting[0] ?? null;
  }

  /** The position after the last taken conversation; null if there are no more. */
  get cursor(): string | null {
    return this.#waiting.length === 0 && this.#cursor === null ? null : this.#place;
  }

  /** Reads the next page if the buffer is empty. Does nothing at the end. */
  async look(): Promise<void> {
    if (this.#waiting.length > 0 || this.#cursor === null) return;
    const cursor = this.#cursor === "" ? undefined : this.#cursor;
    const page = await this.#verbs.listConversations(PAGE, cursor, { isTop: true });
    this.#cursor = page.next_cursor ?? null;
    this.#waiting = page.conversations.map(({ conversation_id: id, updated_at: updatedAt }) => ({
      id,
      updatedAt,
      cursor: cursorOf(updatedAt, id),
    }));
  }

  /** Removes the next conversation from the buffer and returns its id. Throws if the buffer is empty. */
  take(): string {
    const [first, ...rest] = this.#waiting;
    if (first === undefined) throw new Error("There is nothing to take");
    this.#waiting = rest;
    this.#place = first.cursor;
    this.opened += 1;
    return first.id;
  }
}

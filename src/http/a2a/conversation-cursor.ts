// Reads a user's conversations from the directory, most recently updated first.
//
// State: one buffered page of the directory, the position after the last taken conversation, and the position of the
// next page. Call `prefetch` before `next`; call `take` only if `next` is not null. Not safe for concurrent calls.
// Buffered conversations that were not taken are read again from `position` by the next request.

import { encodeCursor } from "../api/list-cursor.ts";
import type { Operations } from "../api/operations.ts";

/** The number of conversations that are read at once. */
const CONVERSATIONS_PER_READ = 20;

/** A cursor over the conversations of a user. `takenCount` is the number of conversations that were taken. */
export class ConversationCursor {
  takenCount = 0;
  readonly #operations: Operations;
  #nextPage: string | null;
  #position: string | null;
  #buffer: { readonly id: string; readonly updatedAt: number; readonly cursor: string }[] = [];

  /** `cursor` is the position to start from: "" for the beginning, null for the end. */
  constructor(operations: Operations, cursor: string | null) {
    this.#operations = operations;
    this.#nextPage = cursor;
    this.#position = cursor;
  }

  /** The next conversation, as far as `prefetch` has read; null at the end. */
  get next(): { readonly updatedAt: number } | null {
    return this.#buffer[0] ?? null;
  }

  /** The position after the last taken conversation; null if there are no more. */
  get position(): string | null {
    return this.#buffer.length === 0 && this.#nextPage === null ? null : this.#position;
  }

  /** Reads the next page if the buffer is empty. Does nothing at the end. */
  async prefetch(): Promise<void> {
    if (this.#buffer.length > 0 || this.#nextPage === null) return;
    const cursor = this.#nextPage === "" ? undefined : this.#nextPage;
    const query = { limit: CONVERSATIONS_PER_READ, cursor, top: true };
    const page = await this.#operations.listConversations({ query });
    this.#nextPage = page.next_cursor ?? null;
    this.#buffer = page.conversations.map(({ conversation_id: id, updated_at: updatedAt }) => ({
      id,
      updatedAt,
      cursor: encodeCursor(updatedAt, id),
    }));
  }

  /** Removes the next conversation from the buffer and returns its id. Throws if the buffer is empty. */
  take(): string {
    const [first, ...rest] = this.#buffer;
    if (first === undefined) throw new Error("The buffer is empty");
    this.#buffer = rest;
    this.#position = first.cursor;
    this.takenCount += 1;
    return first.id;
  }
}

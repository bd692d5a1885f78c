import { cursorOf } from "../cursor.ts";
import type { Verbs } from "../verbs.ts";

/** Conversations that are asked for at once. */
const PAGE = 20;

/** The directory's list of a user's conversations, one after the other: those last updated first. */
export class Shelf {
  opened = 0;
  readonly #verbs: Verbs;
  #cursor: string | null;
  #place: string | null;
  #waiting: { readonly id: string; readonly updatedAt: number; readonly cursor: string }[] = [];

  /** An empty cursor is the beginning, null the end. */
  constructor(verbs: Verbs, cursor: string | null) {
    this.#verbs = verbs;
    this.#cursor = cursor;
    this.#place = cursor;
  }

  /** The next conversation, once it was looked for. */
  get next(): { readonly updatedAt: number } | null {
    return this.#waiting[0] ?? null;
  }

  /** Where to go on after what was taken; null at the end. */
  get cursor(): string | null {
    return this.#waiting.length === 0 && this.#cursor === null ? null : this.#place;
  }

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

  take(): string {
    const [first, ...rest] = this.#waiting;
    if (first === undefined) throw new Error("There is nothing to take");
    this.#waiting = rest;
    this.#place = first.cursor;
    this.opened += 1;
    return first.id;
  }
}

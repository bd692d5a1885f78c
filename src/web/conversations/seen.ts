// Which conversations have something new since this browser last showed them.

import type { Conversation } from "../../protocol/conversation.ts";
import { ownName } from "../person.ts";
import { preference } from "../preference.ts";

/** Up to when each conversation was seen, and up to when all that are not named; in milliseconds since the epoch. */
export type Seen = { readonly since: number; readonly at: Readonly<Record<string, number>> };

/** More are not remembered: what is forgotten counts as seen. */
const MAX_KEPT = 500;
const kept = preference(ownName("seen"));

type Changed = Pick<Conversation, "conversation_id" | "updated_at">;

export function isUnread(seen: Seen, { conversation_id, updated_at }: Changed): boolean {
  return updated_at > (seen.at[conversation_id] ?? seen.since);
}

/** The same value when nothing is new. */
export function withSeen(seen: Seen, changed: Changed): Seen {
  if (!isUnread(seen, changed)) return seen;
  const { conversation_id, updated_at } = changed;
  const entries = Object.entries({ ...seen.at, [conversation_id]: updated_at }).toSorted(([, a], [, b]) => b - a);
  const forgotten = entries[MAX_KEPT]?.[1] ?? 0;
  return { since: Math.max(seen.since, forgotten), at: Object.fromEntries(entries.slice(0, MAX_KEPT)) };
}

/** What cannot be read counts as never written: this browser is here for the first time, and nothing is new to it. */
export function parseSeen(text: string | null, now: number): Seen {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (isSeen(value)) return value;
  } catch {
    // As good as never written.
  }
  return { since: now, at: {} };
}

function isSeen(value: unknown): value is Seen {
  if (typeof value !== "object" || value === null || !("since" in value && "at" in value)) return false;
  const { since, at } = value;
  if (typeof since !== "number" || typeof at !== "object" || at === null || Array.isArray(at)) return false;
  return Object.values(at).every((seenAt) => typeof seenAt === "number");
}

let read: { readonly text: string | null; readonly seen: Seen } | null = null;

/** The same object as long as nothing changes, as stores have to. */
export function currentSeen(): Seen {
  const text = kept.get();
  if (read === null || read.text !== text) read = { text, seen: parseSeen(text, Date.now()) };
  return read.seen;
}

export const subscribeSeen = kept.subscribe;

/** From when on things are new in this browser: from the first time that anything was shown in it. */
export function beginSeeing(): void {
  if (kept.get() === null) kept.set(JSON.stringify(currentSeen()));
}

export function markSeen(conversation: Changed): void {
  const before = currentSeen();
  const after = withSeen(before, conversation);
  if (after !== before) kept.set(JSON.stringify(after));
}

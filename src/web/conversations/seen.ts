// Tracks which conversations have changed since this browser last showed them.
// The state is a preference per user, shared by the tabs of the browser. `getSeenState` returns the same object until
// the stored text changes, as `useSyncExternalStore` requires. The functions that take a `SeenState` are pure.

import type { Conversation } from "../../protocol/conversation.ts";
import { ownName } from "../person.ts";
import { preference } from "../preference.ts";

/**
 * `at` maps conversation ids to the time when they were last seen; `since` applies to all others. In ms since the
 * epoch.
 */
export type Seen = { readonly since: number; readonly at: Readonly<Record<string, number>> };

/**
 * At most this many entries are stored; `since` moves up to the newest dropped one, so dropped entries count as seen.
 */
const MAX_KEPT = 500;
const kept = preference(ownName("seen"));

type Changed = Pick<Conversation, "conversation_id" | "updated_at">;

export function isUnread(seen: Seen, { conversation_id, updated_at }: Changed): boolean {
  return updated_at > (seen.at[conversation_id] ?? seen.since);
}

/** Returns the same object if nothing changes. */
export function withSeen(seen: Seen, changed: Changed): Seen {
  if (!isUnread(seen, changed)) return seen;
  const { conversation_id, updated_at } = changed;
  const entries = Object.entries({ ...seen.at, [conversation_id]: updated_at }).toSorted(([, a], [, b]) => b - a);
  const forgotten = entries[MAX_KEPT]?.[1] ?? 0;
  return { since: Math.max(seen.since, forgotten), at: Object.fromEntries(entries.slice(0, MAX_KEPT)) };
}

/** Parses the stored state. Invalid or missing text yields a new state in which everything up to `now` is seen. */
export function parseSeen(text: string | null, now: number): Seen {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (isSeen(value)) return value;
  } catch {
    // Treated as missing.
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

/** Returns the current state; the same object while nothing changes. */
export function currentSeen(): Seen {
  const text = kept.get();
  if (read === null || read.text !== text) read = { text, seen: parseSeen(text, Date.now()) };
  return read.seen;
}

export const subscribeSeen = kept.subscribe;

/** Stores the initial state, so that conversations that change later count as unread. */
export function beginSeeing(): void {
  if (kept.get() === null) kept.set(JSON.stringify(currentSeen()));
}

export function markSeen(conversation: Changed): void {
  const before = currentSeen();
  const after = withSeen(before, conversation);
  if (after !== before) kept.set(JSON.stringify(after));
}

// Tracks which conversations have changed since this browser last showed them.
// The state is a preference per user, shared by the tabs of the browser. `getSeenState` returns the same object until
// the stored text changes, as `useStore` requires. The functions that take a `SeenState` are pure.

import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { getPreference, toUserPreferenceName } from "../../../session/preference.ts";

/**
 * `at` maps conversation ids to the time when they were last seen; `since` applies to all others. In ms since the
 * epoch.
 */
export type SeenState = { readonly since: number; readonly at: Readonly<Record<string, number>> };

/**
 * At most this many entries are stored; `since` moves up to the newest dropped one, so dropped entries count as seen.
 */
const MAX_SEEN_ENTRIES = 500;
const seenPreference = getPreference(toUserPreferenceName("seen"));

type SeenConversation = Pick<ConversationInfo, "conversation_id" | "updated_at">;

/** Returns true if the conversation was updated after it was last seen. */
export function isUnread(seen: SeenState, { conversation_id, updated_at }: SeenConversation): boolean {
  return updated_at > (seen.at[conversation_id] ?? seen.since);
}

/** Returns the state with the conversation seen as of its last update; the same object if it is not unread. */
export function withSeen(seen: SeenState, changed: SeenConversation): SeenState {
  if (!isUnread(seen, changed)) return seen;
  const { conversation_id, updated_at } = changed;
  const entries = Object.entries({ ...seen.at, [conversation_id]: updated_at }).toSorted(([, a], [, b]) => b - a);
  const forgotten = entries[MAX_SEEN_ENTRIES]?.[1] ?? 0;
  return { since: Math.max(seen.since, forgotten), at: Object.fromEntries(entries.slice(0, MAX_SEEN_ENTRIES)) };
}

/** Parses the stored state. For an invalid or missing text, returns a state in which everything up to `now` is seen. */
export function parseSeen(text: string | null, now: number): SeenState {
  try {
    const value: unknown = JSON.parse(text ?? "");
    if (isSeenState(value)) return value;
  } catch {
    // Treated as missing.
  }
  return { since: now, at: {} };
}

function isSeenState(value: unknown): value is SeenState {
  if (typeof value !== "object" || value === null || !("since" in value && "at" in value)) return false;
  const { since, at } = value;
  if (typeof since !== "number" || typeof at !== "object" || at === null || Array.isArray(at)) return false;
  return Object.values(at).every((seenAt) => typeof seenAt === "number");
}

let cachedState: { readonly text: string | null; readonly seen: SeenState } | null = null;

/** Returns the current state; the same object while nothing changes. */
export function getSeenState(): SeenState {
  const text = seenPreference.get();
  if (cachedState === null || cachedState.text !== text) cachedState = { text, seen: parseSeen(text, Date.now()) };
  return cachedState.seen;
}

/** Calls a listener after every change of the state, in any tab. Returns the function that unsubscribes. */
export const subscribeSeen = seenPreference.subscribe;

/** Stores the initial state if none is stored, so that conversations that change later count as unread. */
export function initializeSeen(): void {
  if (seenPreference.get() === null) seenPreference.set(JSON.stringify(getSeenState()));
}

/** Stores that the conversation was seen as of its last update. */
export function markSeen(conversation: SeenConversation): void {
  const before = getSeenState();
  const after = withSeen(before, conversation);
  if (after !== before) seenPreference.set(JSON.stringify(after));
}

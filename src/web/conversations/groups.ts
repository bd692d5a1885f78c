// Groups conversations by recency, in calendar days of the local time zone.

import type { Conversation } from "../../protocol/conversation.ts";

export const STRETCHES = ["today", "yesterday", "week", "older"] as const;
export type Stretch = (typeof STRETCHES)[number];

export type Group = { readonly stretch: Stretch; readonly conversations: readonly Conversation[] };

/**
 * Keeps the order. Removes duplicates, which occur if a conversation moves between pages while they are read; the first
 * one wins.
 */
export function groupsOf(conversations: readonly Conversation[], now: number): Group[] {
  const unique = [
    ...new Map(conversations.toReversed().map((one) => [one.conversation_id, one])).values(),
  ].toReversed();
  const groups = Object.groupBy(unique, ({ updated_at }) => stretchOf(updated_at, now));
  return STRETCHES.flatMap((stretch) => {
    const found = groups[stretch];
    return found === undefined ? [] : [{ stretch, conversations: found }];
  });
}

export function stretchOf(at: number, now: number): Stretch {
  if (at >= midnight(now, 0)) return "today";
  if (at >= midnight(now, 1)) return "yesterday";
  return at >= midnight(now, 7) ? "week" : "older";
}

/**
 * The start of the local day `daysAgo` days before `now`. Days with a clock change have 23 or 25 hours, so do not
 * subtract ms.
 */
function midnight(now: number, daysAgo: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - daysAgo);
  return day.getTime();
}

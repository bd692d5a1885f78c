// Groups conversations by recency, in calendar days of the local time zone.

import type { ConversationInfo } from "../../protocol/wire/conversation-info.ts";

export const PERIODS = ["today", "yesterday", "week", "older"] as const;
export type ListPeriod = (typeof PERIODS)[number];

export type ConversationGroup = { readonly stretch: ListPeriod; readonly conversations: readonly ConversationInfo[] };

/**
 * Keeps the order. Removes duplicates, which occur if a conversation moves between pages while they are read; the first
 * one wins.
 */
export function groupConversations(conversations: readonly ConversationInfo[], now: number): ConversationGroup[] {
  const unique = [
    ...new Map(conversations.toReversed().map((one) => [one.conversation_id, one])).values(),
  ].toReversed();
  const groups = Object.groupBy(unique, ({ updated_at }) => getPeriod(updated_at, now));
  return PERIODS.flatMap((stretch) => {
    const found = groups[stretch];
    return found === undefined ? [] : [{ stretch, conversations: found }];
  });
}

export function getPeriod(at: number, now: number): ListPeriod {
  if (at >= getMidnight(now, 0)) return "today";
  if (at >= getMidnight(now, 1)) return "yesterday";
  return at >= getMidnight(now, 7) ? "week" : "older";
}

/**
 * The start of the local day `daysAgo` days before `now`. Days with a clock change have 23 or 25 hours, so do not
 * subtract ms.
 */
function getMidnight(now: number, daysAgo: number): number {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - daysAgo);
  return day.getTime();
}

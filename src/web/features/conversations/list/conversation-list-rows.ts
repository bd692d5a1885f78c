// Flattens the grouped conversations to rows of headings and conversations, in display order.

import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";

export type ConversationListRow =
  | { readonly kind: "heading"; readonly key: string; readonly period: ListPeriod }
  | { readonly kind: "conversation"; readonly key: string; readonly conversation: ConversationInfo };

/** Returns the rows for the groups of `groupConversations`. `now` is in ms since the epoch. */
export function buildListRows(conversations: readonly ConversationInfo[], now: number): ConversationListRow[] {
  return groupConversations(conversations, now).flatMap(({ period, conversations: grouped }) => [
    { kind: "heading" as const, key: period, period },
    ...grouped.map((conversation) => ({
      kind: "conversation" as const,
      key: conversation.conversation_id,
      conversation,
    })),
  ]);
}

// Groups conversations by recency, in calendar days of the local time zone.

/** The periods of the list, newest first; see `getPeriod`. */
const PERIODS = ["today", "yesterday", "week", "older"] as const;
type ListPeriod = (typeof PERIODS)[number];

type ConversationGroup = { readonly period: ListPeriod; readonly conversations: readonly ConversationInfo[] };

/**
 * Groups conversations by the period of their last update, newest period first, without empty groups. Keeps the order
 * within a group. Keeps only the first of conversations with the same id, which occur if a conversation moves between
 * pages while they are read. `now` is in ms since the epoch.
 */
export function groupConversations(conversations: readonly ConversationInfo[], now: number): ConversationGroup[] {
  const unique = [
    ...new Map(conversations.toReversed().map((one) => [one.conversation_id, one])).values(),
  ].toReversed();
  const groups = Object.groupBy(unique, ({ updated_at }) => getPeriod(updated_at, now));
  return PERIODS.flatMap((period) => {
    const found = groups[period];
    return found === undefined ? [] : [{ period, conversations: found }];
  });
}

/** Returns the period of a time. Times are in ms since the epoch; `week` begins seven calendar days before today. */
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

// Flattens the grouped conversations to rows of headings and conversations, in display order.

import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { groupConversations, type ListPeriod } from "./group-conversations.ts";

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

// Flattens the grouped conversations to rows of headings and conversations, in display order.

import type { Conversation } from "../../protocol/conversation.ts";
import { groupsOf, type Stretch } from "./groups.ts";

export type Row =
  | { readonly kind: "heading"; readonly key: string; readonly stretch: Stretch }
  | { readonly kind: "conversation"; readonly key: string; readonly conversation: Conversation };

export function rowsOf(conversations: readonly Conversation[], now: number): Row[] {
  return groupsOf(conversations, now).flatMap(({ stretch, conversations: grouped }) => [
    { kind: "heading" as const, key: stretch, stretch },
    ...grouped.map((conversation) => ({
      kind: "conversation" as const,
      key: conversation.conversation_id,
      conversation,
    })),
  ]);
}

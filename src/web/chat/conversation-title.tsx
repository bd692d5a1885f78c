// The title and the menu of a conversation.

import { useQuery } from "@tanstack/react-query";
import { memo, useEffect } from "react";
import type { ConversationInfo } from "../../protocol/wire/conversation-info.ts";
import { useConversationActions } from "../conversations/conversation-actions.tsx";
import { rememberFirstMessage } from "../conversations/conversation-titles.ts";
import { api } from "../initial-api.ts";
import { useWords } from "../language.ts";
import { useSetViewTitle } from "../shell/view-title.ts";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { WORDS } from "./words.ts";

/**
 * Returns the conversation as the list endpoint knows it, with a title set by the person or derived from the first
 * message; until it is loaded, the given conversation.
 */
export function useConversationRecord(conversation: ConversationInfo | null, threads: number): ConversationInfo | null {
  const id = conversation?.conversation_id ?? "";
  const { data } = useQuery({
    queryKey: ["conversations", "one", id, threads > 0],
    queryFn: () => api.conversation(id),
    enabled: conversation !== null,
  });
  return data ?? conversation;
}

export const ConversationMenu = memo(function ConversationMenu({
  conversation,
  more,
}: {
  readonly conversation: ConversationInfo;
  readonly more: readonly MenuItem[];
}) {
  const actions = useConversationActions(conversation);
  return <Menu items={[...more, ...actions]} />;
});

/** Returns the title, or the first message while there is none. The lists and the browser tab show the same text. */
export function useConversationTitle(conversation: ConversationInfo | null, first: string | undefined): string {
  const say = useWords(WORDS);
  const id = conversation?.conversation_id;
  useEffect(() => {
    if (id !== undefined && first !== undefined) rememberFirstMessage(id, first);
  }, [id, first]);
  const name = conversation?.title ?? first;
  useSetViewTitle(name ?? "");
  return name ?? say("conversation");
}

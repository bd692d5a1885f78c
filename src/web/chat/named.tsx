// The title and the menu of a conversation.

import { useQuery } from "@tanstack/react-query";
import { memo, useEffect } from "react";
import type { Conversation } from "../../protocol/conversation.ts";
import { useConversationActions } from "../conversations/actions.tsx";
import { hearFirst } from "../conversations/titles.ts";
import { api } from "../first.ts";
import { useWords } from "../language.ts";
import { useTitle } from "../shell/title.ts";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import { WORDS } from "./words.ts";

/**
 * Returns the conversation as the list endpoint knows it, with a title set by the person or derived from the first
 * message; until it is loaded, the given conversation.
 */
export function useNamed(conversation: Conversation | null, threads: number): Conversation | null {
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
  readonly conversation: Conversation;
  readonly more: readonly MenuItem[];
}) {
  const actions = useConversationActions(conversation);
  return <Menu items={[...more, ...actions]} />;
});

/** Returns the title, or the first message while there is none. The lists and the browser tab show the same text. */
export function useConversationTitle(conversation: Conversation | null, first: string | undefined): string {
  const say = useWords(WORDS);
  const id = conversation?.conversation_id;
  useEffect(() => {
    if (id !== undefined && first !== undefined) hearFirst(id, first);
  }, [id, first]);
  const name = conversation?.title ?? first;
  useTitle(name ?? "");
  return name ?? say("conversation");
}

// What a conversation is called, and what can be done with it.

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

/** The conversation as its list knows it: named anew by hand or by its first message. */
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

/** Before it has a name of its own, it goes by what was said first, here, in the lists and in the tab of the browser. */
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

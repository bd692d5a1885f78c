// The frame of a conversation: its title, what can be done with it, and the conversation below.

import { useQuery } from "@tanstack/react-query";
import { memo, type ReactNode } from "react";
import type { Conversation } from "../../protocol/conversation.ts";
import { plainly } from "../../protocol/visible.ts";
import { useConversationActions } from "../conversations/actions.tsx";
import { useWords } from "../language.ts";
import { api } from "../first.ts";
import { MenuButton } from "../shell/menu-button.tsx";
import { Menu, type MenuItem } from "../ui/menu.tsx";
import styles from "./frame.module.css";
import { WORDS } from "./words.ts";

export function Frame({
  title,
  menu,
  children,
}: {
  readonly title: string;
  readonly menu?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <main className={styles["frame"]} id="main" tabIndex={-1}>
      <header className={styles["head"]}>
        <MenuButton />
        <h1 className={styles["title"]}>{plainly(title)}</h1>
        {menu}
      </header>
      {children}
    </main>
  );
}

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

/** Before it has a name of its own, it goes by what was said first. */
export function useConversationTitle(conversation: Conversation | null, first: string | undefined): string {
  const say = useWords(WORDS);
  return conversation?.title ?? first ?? say("conversation");
}

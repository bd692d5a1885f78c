// The title and the menu of a conversation.

import { useQuery } from "@tanstack/react-query";
import { memo, useEffect } from "react";
import type { ConversationInfo } from "../../../protocol/wire/conversation-info.ts";
import { useConversationActions } from "./list/conversation-actions.tsx";
import { rememberFirstMessage } from "./list/conversation-queries.ts";
import { api } from "../../session/initial-api.ts";
import { useMessages } from "../../session/language.ts";
import { useSetViewTitle } from "../../ui/panel.tsx";
import { Menu, type MenuItem } from "../../ui/overlay/menu.tsx";
import { ArrowLeft } from "lucide-react";
import { Link } from "wouter";
import styles from "./conversation-title.module.css";

/**
 * Queries the conversation, because the given record of the view may lack the title. Until it is loaded, returns the
 * given record; null stays null and queries nothing. It is requested again when it gets its first thread, and whenever
 * the `["conversations"]` queries are invalidated.
 */
export function useConversationRecord(
  conversation: ConversationInfo | null,
  threadCount: number,
): ConversationInfo | null {
  const id = conversation?.conversation_id ?? "";
  const { data } = useQuery({
    queryKey: ["conversations", "one", id, threadCount > 0],
    queryFn: () => api.readConversation(id),
    enabled: conversation !== null,
  });
  return data ?? conversation;
}

/** The menu of a conversation: the items `more`, then rename, export and delete. */
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

/**
 * Returns the title; without one, the first message, or else a general name. Sets it as the title of the view and
 * remembers the first message, so that browser tab and lists show the same text.
 */
export function useConversationTitle(conversation: ConversationInfo | null, firstMessage: string | undefined): string {
  const t = useMessages("chat");
  const id = conversation?.conversation_id;
  useEffect(() => {
    if (id !== undefined && firstMessage !== undefined) rememberFirstMessage(id, firstMessage);
  }, [id, firstMessage]);
  const name = conversation?.title ?? firstMessage;
  useSetViewTitle(name ?? "");
  return name ?? t("conversation");
}

/** Replaces the message box in the conversation of a task: links to the parent conversation, which accepts messages. */
export function ParentConversationLink({ parentId }: { readonly parentId: string }) {
  const t = useMessages("chat");
  return (
    <p className={styles["part"]}>
      {t("taskConversation")}{" "}
      <Link href={`/c/${encodeURIComponent(parentId)}`}>
        <ArrowLeft size={14} aria-hidden /> {t("openFullConversation")}
      </Link>
    </p>
  );
}

import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { api } from "../../../session/initial-api.ts";
import { useMessages } from "../../../session/language.ts";
import { RenameDialog } from "../../../ui/rename-dialog.tsx";
import { useRefreshConversations } from "./conversation-queries.ts";
import { markSeen } from "./seen-conversations.ts";

/** Asks for a new title and renames a conversation, which stays marked as seen. Then refreshes its queries. */
export function RenameConversationDialog({
  conversation,
  onClose,
}: {
  readonly conversation: ConversationInfo;
  readonly onClose: () => void;
}) {
  const t = useMessages("conversations");
  const refresh = useRefreshConversations();
  const rename = async (title: string) => {
    markSeen(await api.updateConversation(conversation.conversation_id, { title }));
    await refresh();
  };
  return (
    <RenameDialog
      title={t("renameTitle")}
      label={t("title")}
      name={conversation.title ?? ""}
      onRename={rename}
      onClose={onClose}
    />
  );
}

import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { api } from "../../../session/initial-api.ts";
import { useMessages } from "../../../session/language.ts";
import { useRefreshConversations, useRefreshConversationLists, useTitleFormatter } from "./conversation-queries.ts";
import { markSeen } from "./seen-conversations.ts";
import { useLocation } from "wouter";
import { ConfirmDialog, RenameDialog } from "../../../ui/overlay/dialog.tsx";
import { showToast } from "../../../ui/toast.tsx";

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

/**
 * Asks for confirmation and deletes a conversation. Then leaves its view if it is open, shows a toast and refreshes the
 * lists. Shows an error in the dialog.
 */
export function DeleteConversationDialog({
  conversation,
  onClose,
}: {
  readonly conversation: ConversationInfo;
  readonly onClose: () => void;
}) {
  const t = useMessages("conversations");
  const refresh = useRefreshConversationLists();
  const [path, navigate] = useLocation();
  const id = conversation.conversation_id;
  const title = useTitleFormatter()(conversation);
  const remove = async () => {
    await api.deleteConversation(id);
    if (path === `/c/${encodeURIComponent(id)}`) navigate("/", { replace: true });
    showToast(t("deleted", { title }));
    await refresh();
  };
  return (
    <ConfirmDialog title={t("deleteTitle")} action={t("delete")} onConfirm={remove} onClose={onClose}>
      <p>{t("deleteMore", { title })}</p>
    </ConfirmDialog>
  );
}

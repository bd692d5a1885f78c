import { useLocation } from "wouter";
import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { useMessages } from "../../../session/language.ts";
import { api } from "../../../session/initial-api.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { useRefreshConversationLists } from "./conversation-queries.ts";
import { useTitleFormatter } from "./conversation-titles.ts";

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

import { useLocation } from "wouter";
import type { ConversationInfo } from "../../protocol/wire/conversation-info.ts";
import { useWords } from "../language.ts";
import { api } from "../initial-api.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { showToast } from "../ui/toast.tsx";
import { useRefreshConversationLists } from "./conversation-queries.ts";
import { useTitleFormatter } from "./conversation-titles.ts";
import { WORDS } from "./words.ts";

/** Asks for confirmation and deletes a conversation; leaves its view if it is open. */
export function DeleteConversationDialog({
  conversation,
  onClose,
}: {
  readonly conversation: ConversationInfo;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const refresh = useRefreshConversationLists();
  const [path, navigate] = useLocation();
  const id = conversation.conversation_id;
  const title = useTitleFormatter()(conversation);
  const remove = async () => {
    await api.deleteConversation(id);
    if (path === `/c/${encodeURIComponent(id)}`) navigate("/", { replace: true });
    showToast(say("deleted", { title }));
    await refresh();
  };
  return (
    <ConfirmDialog title={say("deleteTitle")} action={say("delete")} onConfirm={remove} onClose={onClose}>
      <p>{say("deleteMore", { title })}</p>
    </ConfirmDialog>
  );
}

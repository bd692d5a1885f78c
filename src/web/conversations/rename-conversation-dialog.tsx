import type { ConversationInfo } from "../../protocol/wire/conversation-info.ts";
import { api } from "../initial-api.ts";
import { useWords } from "../language.ts";
import { RenameDialog } from "../ui/rename-dialog.tsx";
import { useRefreshConversations } from "./conversation-queries.ts";
import { markSeen } from "./seen-conversations.ts";
import { WORDS } from "./words.ts";

/** Asks for a new title and renames a conversation. */
export function RenameConversationDialog({
  conversation,
  onClose,
}: {
  readonly conversation: ConversationInfo;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const refresh = useRefreshConversations();
  const rename = async (title: string) => {
    markSeen(await api.renameConversation(conversation.conversation_id, title));
    await refresh();
  };
  return (
    <RenameDialog
      title={say("renameTitle")}
      label={say("title")}
      name={conversation.title ?? ""}
      onRename={rename}
      onClose={onClose}
    />
  );
}

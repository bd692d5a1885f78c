import type { Conversation } from "../../protocol/conversation.ts";
import { api } from "../first.ts";
import { useWords } from "../language.ts";
import { Rename } from "../ui/rename.tsx";
import { useRefresh } from "./queries.ts";
import { markSeen } from "./seen.ts";
import { WORDS } from "./words.ts";

/** Asks for a new title and renames a conversation. */
export function RenameConversation({
  conversation,
  onClose,
}: {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const refresh = useRefresh();
  const rename = async (title: string) => {
    markSeen(await api.renameConversation(conversation.conversation_id, title));
    await refresh();
  };
  return (
    <Rename
      title={say("renameTitle")}
      label={say("title")}
      name={conversation.title ?? ""}
      onRename={rename}
      onClose={onClose}
    />
  );
}

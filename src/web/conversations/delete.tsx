import { useLocation } from "wouter";
import type { Conversation } from "../../protocol/conversation.ts";
import { useWords } from "../language.ts";
import { api } from "../first.ts";
import { Confirm } from "../ui/confirm.tsx";
import { toast } from "../ui/toast.tsx";
import { useListRefresh } from "./queries.ts";
import { useTitleOf } from "./titles.ts";
import { WORDS } from "./words.ts";

/** Asks for confirmation and deletes a conversation; leaves its view if it is open. */
export function DeleteConversation({
  conversation,
  onClose,
}: {
  readonly conversation: Conversation;
  readonly onClose: () => void;
}) {
  const say = useWords(WORDS);
  const refresh = useListRefresh();
  const [place, navigate] = useLocation();
  const id = conversation.conversation_id;
  const title = useTitleOf()(conversation);
  const remove = async () => {
    await api.deleteConversation(id);
    if (place === `/c/${encodeURIComponent(id)}`) navigate("/", { replace: true });
    toast(say("deleted", { title }));
    await refresh();
  };
  return (
    <Confirm title={say("deleteTitle")} action={say("delete")} onConfirm={remove} onClose={onClose}>
      <p>{say("deleteMore", { title })}</p>
    </Confirm>
  );
}

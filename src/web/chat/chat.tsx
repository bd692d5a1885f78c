// A conversation, or the beginning of one.

import { Conversation } from "./conversation.tsx";
import { NewConversation } from "./new-conversation.tsx";

export function Chat({ id }: { readonly id?: string }) {
  return id === undefined ? <NewConversation /> : <Conversation id={id} />;
}

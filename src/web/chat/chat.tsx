// A conversation, or the beginning of one. Beginning takes little, and what shows a conversation is loaded with the first.

import { Suspense, useEffect } from "react";
import { onceAlive } from "../shell/alive.ts";
import { Loading } from "../ui/notice.tsx";
import { NewConversation } from "./new-conversation.tsx";
import { Conversation } from "./open-conversation.ts";

export function Chat({ id }: { readonly id?: string }) {
  // Whoever does something is about to begin a conversation, or to open one.
  useEffect(() => onceAlive(() => void Conversation.load().catch(() => {})), []);
  if (id === undefined) return <NewConversation />;
  return (
    <Suspense fallback={<Loading />}>
      <Conversation id={id} />
    </Suspense>
  );
}

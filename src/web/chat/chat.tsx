// The page of a conversation, or of a new one. The code that shows a conversation is loaded separately, because a new
// conversation does not need it.

import { Suspense, useEffect } from "react";
import { onceAlive } from "../shell/alive.ts";
import { Loading } from "../ui/notice.tsx";
import { NewConversation } from "./new-conversation.tsx";
import { Conversation } from "./open-conversation.ts";

export function Chat({ id }: { readonly id?: string }) {
  // The first interaction probably leads to a conversation, so its code is prefetched then.
  useEffect(() => onceAlive(() => void Conversation.load().catch(() => {})), []);
  if (id === undefined) return <NewConversation />;
  return (
    <Suspense fallback={<Loading />}>
      <Conversation id={id} />
    </Suspense>
  );
}

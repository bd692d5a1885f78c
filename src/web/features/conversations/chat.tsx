// The page of a conversation, or of a new conversation. The code that shows a conversation is loaded separately,
// because a new conversation does not need it.

import { Suspense, useEffect } from "react";
import { onFirstInteraction } from "../../session/prefetch-scripts.ts";
import { Loading } from "../../ui/notice.tsx";
import { NewConversation } from "./new-conversation.tsx";
import { LazyConversationPane } from "./lazy-conversation-pane.ts";

/** Without `id`, the page of a new conversation. The first interaction loads the code that shows a conversation. */
export function Chat({ id }: { readonly id?: string }) {
  // The first interaction probably leads to a conversation, so its code is prefetched then.
  useEffect(() => onFirstInteraction(() => void LazyConversationPane.load().catch(() => {})), []);
  if (id === undefined) return <NewConversation />;
  return (
    <Suspense fallback={<Loading />}>
      <LazyConversationPane id={id} />
    </Suspense>
  );
}

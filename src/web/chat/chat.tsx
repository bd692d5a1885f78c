// A conversation, or the beginning of one. Beginning takes little, and what shows a conversation is loaded with the first.

import { lazy, Suspense, useEffect } from "react";
import { onceAlive } from "../shell/alive.ts";
import { Loading } from "../ui/notice.tsx";
import { NewConversation } from "./new-conversation.tsx";

const load = () => import("./conversation.tsx");
const Conversation = lazy(() => load().then(({ Conversation: component }) => ({ default: component })));

export function Chat({ id }: { readonly id?: string }) {
  // Whoever does something is about to begin a conversation, or to open one.
  useEffect(() => onceAlive(() => void load().catch(() => {})), []);
  if (id === undefined) return <NewConversation />;
  return (
    <Suspense fallback={<Loading />}>
      <Conversation id={id} />
    </Suspense>
  );
}

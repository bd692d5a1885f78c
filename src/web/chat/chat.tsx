// A conversation, or the beginning of one. Beginning takes little, and what shows a conversation is loaded with the first.

import { lazy, Suspense, useEffect } from "react";
import { Loading } from "../ui/notice.tsx";
import { NewConversation } from "./new-conversation.tsx";

const load = () => import("./conversation.tsx");
const Conversation = lazy(() => load().then(({ Conversation: component }) => ({ default: component })));

export function Chat({ id }: { readonly id?: string }) {
  useEffect(() => {
    const prepare = () => void load().catch(() => {});
    const once = { once: true, passive: true };
    for (const sign of SIGNS_OF_LIFE) addEventListener(sign, prepare, once);
    return () => {
      for (const sign of SIGNS_OF_LIFE) removeEventListener(sign, prepare);
    };
  }, []);
  if (id === undefined) return <NewConversation />;
  return (
    <Suspense fallback={<Loading />}>
      <Conversation id={id} />
    </Suspense>
  );
}

/** Whoever does the first of these is about to begin a conversation, or to open one. */
const SIGNS_OF_LIFE = ["pointerdown", "keydown", "touchstart"] as const;

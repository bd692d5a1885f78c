import { lazily } from "../lazily.tsx";
import { Rendered } from "../markdown/late.ts";

/** What shows a conversation, with what most of its texts are written in. */
export const Conversation = lazily(async () => {
  void Rendered.load().catch(() => {});
  return (await import("./conversation.tsx")).Conversation;
});

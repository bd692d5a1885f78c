import { lazily } from "../lazily.tsx";
import { Rendered } from "../markdown/late.ts";

/** The conversation view, loaded on demand. Also prefetches the Markdown renderer, which most conversations need. */
export const Conversation = lazily(async () => {
  void Rendered.load().catch(() => {});
  return (await import("./conversation.tsx")).Conversation;
});

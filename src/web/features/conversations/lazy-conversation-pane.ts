import { createLazyComponent } from "../../ui/lazy-component.tsx";
import { RenderedMarkdown } from "../../ui/markdown/lazy-rendered-markdown.ts";

/** The conversation view, loaded on demand. Also prefetches the Markdown renderer, which most conversations need. */
export const LazyConversationPane = createLazyComponent(async () => {
  void RenderedMarkdown.load().catch(() => {});
  return (await import("./conversation-pane.tsx")).ConversationPane;
});

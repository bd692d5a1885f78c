// Renders Markdown of an agent or a person. Until the renderer is loaded, the text is shown unformatted.

import { Suspense } from "react";
import { RenderedMarkdown } from "./lazy-rendered-markdown.ts";
import { PlainText } from "./plain-text.tsx";

/** Shows Markdown; nothing for a blank text. `isStreaming`: the text is still growing. */
export function Markdown({ text, isStreaming = false }: { readonly text: string; readonly isStreaming?: boolean }) {
  if (text.trim() === "") return null;
  return (
    <Suspense fallback={<PlainText text={text} />}>
      <RenderedMarkdown text={text} isStreaming={isStreaming} />
    </Suspense>
  );
}

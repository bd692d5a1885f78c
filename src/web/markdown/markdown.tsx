// Renders Markdown of an agent or a person. Until the renderer is loaded, the text is shown unformatted.

import { Suspense } from "react";
import { Rendered } from "./late.ts";
import { Plain } from "./plain.tsx";

/** `isStreaming`: the text is still growing. */
export function Markdown({ text, isStreaming = false }: { readonly text: string; readonly isStreaming?: boolean }) {
  if (text.trim() === "") return null;
  return (
    <Suspense fallback={<Plain text={text} />}>
      <Rendered text={text} isStreaming={isStreaming} />
    </Suspense>
  );
}

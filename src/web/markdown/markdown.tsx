// Text that an agent or a person wrote in Markdown. Until the script for it is there, the text stands as it was written.

import { Suspense } from "react";
import { Rendered } from "./late.ts";
import { Plain } from "./plain.tsx";

/** `isStreaming`: more of the text is still to come. */
export function Markdown({ text, isStreaming = false }: { readonly text: string; readonly isStreaming?: boolean }) {
  if (text.trim() === "") return null;
  return (
    <Suspense fallback={<Plain text={text} />}>
      <Rendered text={text} isStreaming={isStreaming} />
    </Suspense>
  );
}

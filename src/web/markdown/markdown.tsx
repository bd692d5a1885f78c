// Text that an agent or a person wrote in Markdown. Until the script for it is there, the text stands as it was written.

import { lazy, Suspense } from "react";
import { Plain } from "./plain.tsx";

const Rendered = lazy(() => import("./rendered.tsx").then(({ Rendered: component }) => ({ default: component })));

/** `isStreaming`: more of the text is still to come. */
export function Markdown({ text, isStreaming = false }: { readonly text: string; readonly isStreaming?: boolean }) {
  if (text.trim() === "") return null;
  return (
    <Suspense fallback={<Plain text={text} />}>
      <Rendered text={text} isStreaming={isStreaming} />
    </Suspense>
  );
}

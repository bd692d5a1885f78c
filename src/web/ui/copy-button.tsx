import { Check, Copy as CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";
import { useMessages } from "../session/language.ts";
import { IconButton } from "./button.tsx";
import { showToast } from "./toast.tsx";

const CONFIRMATION_MS = 2_000;

/**
 * Copies a text to the clipboard and confirms it for 2 s; a failure is shown as a toast. `text` may be a function that
 * creates the text on demand.
 */
export function CopyButton({ text, label }: { readonly text: string | (() => string); readonly label?: string }) {
  const t = useMessages("common");
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = () => {
    copyText(typeof text === "string" ? text : text()).then(
      () => setDone(true),
      () => showToast(t("copyFailed"), "failed"),
    );
  };
  return (
    <IconButton label={isDone ? t("copied") : (label ?? t("copy"))} onClick={copy}>
      {isDone ? <Check size={16} aria-hidden /> : <CopyIcon size={16} aria-hidden />}
    </IconButton>
  );
}

/** Rejects without permission and in insecure contexts (plain http other than localhost), which have no clipboard. */
async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

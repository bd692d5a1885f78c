import { Braces, FileDown, Pencil, Trash2 } from "lucide-react";
import type { Conversation } from "../../protocol/conversation.ts";
import { useLanguage, useWords } from "../language.ts";
import { openWindow } from "../shell/window.ts";
import type { MenuItem } from "../ui/menu.tsx";
import { toast, toastFailure } from "../ui/toast.tsx";
import type { ExportFormat } from "./export/file.ts";
import { WORDS } from "./words.ts";

const TOLD_AFTER_MS = 700;
const ICON = { size: 16, "aria-hidden": true } as const;

/** The menu items of a conversation: rename, export, delete. */
export function useConversationActions(conversation: Conversation): MenuItem[] {
  const say = useWords(WORDS);
  const language = useLanguage();
  const save = (format: ExportFormat) => {
    // Short exports finish sooner and need no notice.
    const telling = setTimeout(() => toast(say("exporting")), TOLD_AFTER_MS);
    import("./export/file.ts")
      .then(({ saveConversation }) => saveConversation(conversation.conversation_id, format, language))
      .catch(toastFailure)
      .finally(() => clearTimeout(telling));
  };
  const exports: MenuItem[] = [
    { label: say("exportMarkdown"), icon: <FileDown {...ICON} />, onSelect: () => save("markdown") },
    { label: say("exportJson"), icon: <Braces {...ICON} />, onSelect: () => save("json") },
  ];
  // A task conversation is deleted with its parent and has no name of its own.
  if (conversation.parent_id !== undefined) return exports;
  return [
    {
      label: say("rename"),
      icon: <Pencil {...ICON} />,
      onSelect: () => openWindow({ kind: "rename", conversation }),
    },
    ...exports,
    {
      label: say("delete"),
      icon: <Trash2 {...ICON} />,
      isDangerous: true,
      onSelect: () => openWindow({ kind: "delete", conversation }),
    },
  ];
}

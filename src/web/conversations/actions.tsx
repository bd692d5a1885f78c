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

/** What can be done with a conversation, wherever it is named. */
export function useConversationActions(conversation: Conversation): MenuItem[] {
  const say = useWords(WORDS);
  const language = useLanguage();
  const save = (format: ExportFormat) => {
    // Only a long one takes so long that something has to be said of it.
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
  // The conversation of one task goes with the one that it is a part of.
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

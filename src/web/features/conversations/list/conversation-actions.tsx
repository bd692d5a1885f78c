import { Braces, FileDown, Pencil, Trash2 } from "lucide-react";
import type { ConversationInfo } from "../../../../protocol/wire/conversation-info.ts";
import { loadMessages, useLanguage, useMessages } from "../../../session/language.ts";
import { openDialog } from "../../../session/open-dialog-state.ts";
import type { MenuItem } from "../../../ui/overlay/menu.tsx";
import { showToast, showErrorToast } from "../../../ui/toast.tsx";
import type { ExportFormat } from "../export/export-conversation.ts";

const NOTICE_DELAY_MS = 700;
const ICON_PROPS = { size: 16, "aria-hidden": true } as const;

/**
 * Returns the menu items of a conversation: rename, export as Markdown or JSON, delete. A task conversation can only be
 * exported. Errors of the export are shown as toasts.
 */
export function useConversationActions(conversation: ConversationInfo): MenuItem[] {
  const t = useMessages("conversations");
  const language = useLanguage();
  const save = (format: ExportFormat) => {
    // Short exports finish sooner and need no notice.
    const noticeTimer = setTimeout(() => showToast(t("exporting")), NOTICE_DELAY_MS);
    Promise.all([import("../export/export-conversation.ts"), loadMessages(language)])
      .then(([{ exportConversation }]) => exportConversation(conversation.conversation_id, format, language))
      .catch(showErrorToast)
      .finally(() => clearTimeout(noticeTimer));
  };
  const exports: MenuItem[] = [
    { label: t("exportMarkdown"), icon: <FileDown {...ICON_PROPS} />, onSelect: () => save("markdown") },
    { label: t("exportJson"), icon: <Braces {...ICON_PROPS} />, onSelect: () => save("json") },
  ];
  // A task conversation is deleted with its parent and has no name of its own.
  if (conversation.parent_id !== undefined) return exports;
  return [
    {
      label: t("rename"),
      icon: <Pencil {...ICON_PROPS} />,
      onSelect: () => openDialog({ kind: "rename", conversation }),
    },
    ...exports,
    {
      label: t("delete"),
      icon: <Trash2 {...ICON_PROPS} />,
      isDangerous: true,
      onSelect: () => openDialog({ kind: "delete", conversation }),
    },
  ];
}

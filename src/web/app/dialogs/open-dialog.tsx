// Renders the open dialog. A separate script, loaded with the first dialog.

import {
  RenameConversationDialog,
  DeleteConversationDialog,
} from "../../features/conversations/list/conversation-dialogs.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { SettingsDialog } from "./settings-dialog.tsx";
import { closeDialog, type OpenDialogState } from "../../session/open-dialog-state.ts";
import { useMessages } from "../../session/language.ts";
import { Dialog } from "../../ui/overlay/dialog.tsx";
import styles from "./open-dialog.module.css";
import { isMac, SHORTCUTS } from "../shortcuts.ts";

/** Closing it calls `closeDialog`. */
export function OpenDialog({ dialog }: { readonly dialog: OpenDialogState }) {
  switch (dialog.kind) {
    case "settings":
      return <SettingsDialog onClose={closeDialog} />;
    case "palette":
      return <CommandPalette onClose={closeDialog} />;
    case "shortcuts":
      return <ShortcutsDialog onClose={closeDialog} />;
    case "rename":
      return <RenameConversationDialog conversation={dialog.conversation} onClose={closeDialog} />;
    case "delete":
      return <DeleteConversationDialog conversation={dialog.conversation} onClose={closeDialog} />;
  }
}

/** Keys of the composer, which are not global shortcuts. */
const COMPOSER_KEYS = [
  { name: "send", keys: ["Enter"] },
  { name: "newLine", keys: ["Shift", "Enter"] },
  { name: "stop", keys: ["Esc"] },
  { name: "editLast", keys: ["↑"] },
] as const;

const SHORTCUT_KEYS = {
  palette: "find",
  new: "newConversation",
  sidebar: "toggleSidebar",
  shortcuts: "shortcuts",
} as const;

/** The dialog that lists the global shortcuts and the keys of the message box. */
function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useMessages("dialogs");
  const rows = [...SHORTCUTS.map(({ shortcut, keys }) => ({ name: SHORTCUT_KEYS[shortcut], keys })), ...COMPOSER_KEYS];
  return (
    <Dialog title={t("shortcuts")} onClose={onClose}>
      <dl className={styles["list"]}>
        {rows.map(({ name, keys }) => (
          <div key={name} className={styles["row"]}>
            <dt>{t(name)}</dt>
            <dd>
              {keys.map((key) => (
                <kbd key={key}>{key === "Mod" ? (isMac() ? "⌘" : "Ctrl") : key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

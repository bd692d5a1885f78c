// Renders the open dialog. A separate script, loaded with the first dialog.

import { DeleteConversationDialog } from "../../features/conversations/list/delete-conversation-dialog.tsx";
import { RenameConversationDialog } from "../../features/conversations/list/rename-conversation-dialog.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { SettingsDialog } from "./settings-dialog.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { closeDialog, type OpenDialogState } from "../../session/open-dialog-state.ts";

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

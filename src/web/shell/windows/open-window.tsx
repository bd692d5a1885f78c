// Renders the open dialog. A separate script, loaded with the first dialog.

import { DeleteConversation } from "../../conversations/delete.tsx";
import { RenameConversation } from "../../conversations/rename.tsx";
import { Palette } from "./palette.tsx";
import { Settings } from "./settings.tsx";
import { ShortcutList } from "./shortcut-list.tsx";
import { closeWindow, type Window } from "../window.ts";

export function OpenWindow({ window }: { readonly window: Window }) {
  switch (window.kind) {
    case "settings":
      return <Settings onClose={closeWindow} />;
    case "palette":
      return <Palette onClose={closeWindow} />;
    case "shortcuts":
      return <ShortcutList onClose={closeWindow} />;
    case "rename":
      return <RenameConversation conversation={window.conversation} onClose={closeWindow} />;
    case "delete":
      return <DeleteConversation conversation={window.conversation} onClose={closeWindow} />;
  }
}

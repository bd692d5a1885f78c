import { useEffect, useEffectEvent } from "react";
import { useLocation } from "wouter";
import { isTextInput } from "../ui/keyboard.ts";
import { isMac, matchShortcut, type Shortcut } from "./shortcuts.ts";
import { closeDialog, openDialog, useOpenDialog } from "../session/open-dialog-state.ts";

/** Handles the global shortcuts. While a dialog is open, only the shortcut that closes the command palette works. */
export function useShortcuts(toggleSidebar: () => void): void {
  const [, navigate] = useLocation();
  const openedDialog = useOpenDialog();
  const runShortcut = (shortcut: Shortcut) => {
    switch (shortcut) {
      case "palette":
        return openedDialog?.kind === "palette" ? closeDialog() : openDialog({ kind: "palette" });
      case "new":
        return navigate("/");
      case "sidebar":
        return toggleSidebar();
      case "shortcuts":
        return openDialog({ kind: "shortcuts" });
    }
  };
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const shortcut = matchShortcut(event, isMac(), isTextInput(event.target));
    if (shortcut === null) return;
    const isCovered = document.querySelector("dialog[open]") !== null;
    if (isCovered && !(shortcut === "palette" && openedDialog?.kind === "palette")) return;
    event.preventDefault();
    runShortcut(shortcut);
  });
  useEffect(() => {
    addEventListener("keydown", handleKeyDown);
    return () => removeEventListener("keydown", handleKeyDown);
  }, []);
}

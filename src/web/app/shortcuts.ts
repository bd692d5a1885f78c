// Global keyboard shortcuts.

import { useEffect, useEffectEvent } from "react";
import { useLocation } from "wouter";
import { isTextInput } from "../ui/text-input.ts";
import { closeDialog, openDialog, useOpenDialog } from "../session/open-dialog-state.ts";

/** Opens the command palette, a new conversation, the sidebar (or closes it), or the list of shortcuts. */
type Shortcut = "palette" | "new" | "sidebar" | "shortcuts";

/** In display order. `Mod` is Command on a Mac and Control elsewhere. */
export const SHORTCUTS: readonly { readonly shortcut: Shortcut; readonly keys: readonly string[] }[] = [
  { shortcut: "palette", keys: ["Mod", "K"] },
  { shortcut: "new", keys: ["Mod", "Shift", "O"] },
  { shortcut: "sidebar", keys: ["Mod", "B"] },
  { shortcut: "shortcuts", keys: ["?"] },
];

export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "keyCode" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey" | "repeat" | "isComposing"
>;

/**
 * Returns the shortcut of a key event, or null. Null also for repeated keys, keys of an input method, combinations with
 * Alt, and those with Control on a Mac or Meta elsewhere. `?` is a shortcut only outside of text inputs (`isInText`).
 */
export function matchShortcut(pressed: KeyPress, isMac: boolean, isInText: boolean): Shortcut | null {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = pressed;
  if (pressed.repeat || pressed.isComposing || pressed.keyCode === COMPOSING_KEY_CODE || altKey) return null;
  if (!ctrlKey && !metaKey) return key === "?" && !isInText ? "shortcuts" : null;
  if (isMac ? ctrlKey : metaKey) return null;
  const letter = key.toLowerCase();
  if (shiftKey) return letter === "o" ? "new" : null;
  if (letter === "k") return "palette";
  return letter === "b" ? "sidebar" : null;
}

/** The key code by which some browsers indicate an active input method. */
const COMPOSING_KEY_CODE = 229;

/** Returns true on Apple devices, where shortcuts use the Command key. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

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

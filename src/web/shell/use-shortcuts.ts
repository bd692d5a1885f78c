import { useEffect, useEffectEvent } from "react";
import { useLocation } from "wouter";
import { isMac, isWritable, shortcutOf, type Shortcut } from "./shortcuts.ts";
import { closeWindow, openWindow, useWindow } from "./window.ts";

/** Handles global shortcuts. While a dialog is open, only the shortcut that toggles it works. */
export function useShortcuts(toggleSidebar: () => void): void {
  const [, navigate] = useLocation();
  const shown = useWindow();
  const follow = (shortcut: Shortcut) => {
    switch (shortcut) {
      case "palette":
        return shown?.kind === "palette" ? closeWindow() : openWindow({ kind: "palette" });
      case "new":
        return navigate("/");
      case "sidebar":
        return toggleSidebar();
      case "shortcuts":
        return openWindow({ kind: "shortcuts" });
    }
  };
  const hear = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    const shortcut = shortcutOf(event, isMac(), isWritable(event.target));
    if (shortcut === null) return;
    const isCovered = document.querySelector("dialog[open]") !== null;
    if (isCovered && !(shortcut === "palette" && shown?.kind === "palette")) return;
    event.preventDefault();
    follow(shortcut);
  });
  useEffect(() => {
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, []);
}

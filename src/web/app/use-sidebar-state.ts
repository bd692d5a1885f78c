// Visibility of the sidebar. On wide screens it is a stored preference. On narrow screens it is a drawer over the view,
// which closes on navigation.

import { useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import type { SidebarState } from "../ui/menu-button.tsx";
import { getPreference } from "../session/preference.ts";

const sidebarPreference = getPreference("sidebar");
const HIDDEN = "hidden";
const narrowScreen = matchMedia("(max-width: 52rem)");

/**
 * Returns the state of the sidebar. `setOpen` stores the preference on a wide screen and moves the drawer on a narrow.
 */
export function useSidebarState(): SidebarState {
  const [path] = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isDrawer = useSyncExternalStore(subscribeNarrow, () => narrowScreen.matches);
  const isShown = useSyncExternalStore(sidebarPreference.subscribe, () => sidebarPreference.get() !== HIDDEN);
  return {
    isDrawer,
    isOpen: isDrawer ? openedAt === path : isShown,
    setOpen(isOpen) {
      if (isDrawer) setOpenedAt(isOpen ? path : null);
      else sidebarPreference.set(isOpen ? null : HIDDEN);
    },
  };
}

function subscribeNarrow(listener: () => void): () => void {
  narrowScreen.addEventListener("change", listener);
  return () => narrowScreen.removeEventListener("change", listener);
}

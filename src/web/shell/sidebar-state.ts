// Visibility of the sidebar. On wide screens it is a stored preference. On narrow screens it is a drawer over the view,
// which closes on navigation.

import { useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { preference } from "../preference.ts";

const kept = preference("sidebar");
const HIDDEN = "hidden";
const narrow = matchMedia("(max-width: 52rem)");

export type SidebarState = {
  /** Narrow screen: the sidebar covers the view. */
  readonly isDrawer: boolean;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
};

export function useSidebarState(): SidebarState {
  const [place] = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isDrawer = useSyncExternalStore(subscribeNarrow, () => narrow.matches);
  const isShown = useSyncExternalStore(kept.subscribe, () => kept.get() !== HIDDEN);
  return {
    isDrawer,
    isOpen: isDrawer ? openedAt === place : isShown,
    setOpen(isOpen) {
      if (isDrawer) setOpenedAt(isOpen ? place : null);
      else kept.set(isOpen ? null : HIDDEN);
    },
  };
}

function subscribeNarrow(listener: () => void): () => void {
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

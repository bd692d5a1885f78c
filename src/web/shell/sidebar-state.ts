// Whether the sidebar shows. Beside the view that is a habit, and kept; over it, on small screens, it is a drawer that
// closes when the person goes anywhere else.

import { useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { preference } from "../preference.ts";

const kept = preference("sidebar");
const HIDDEN = "hidden";
const narrow = matchMedia("(max-width: 52rem)");

export type SidebarState = {
  /** Small screens: it stands over the view. */
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

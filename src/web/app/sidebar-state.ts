// Visibility of the sidebar. On wide screens it is a stored preference. On narrow screens it is a drawer over the view,
// which closes on navigation.

import { useState, useEffect, useEffectEvent, type RefObject } from "react";
import { useLocation } from "wouter";
import type { SidebarState } from "../ui/panel.tsx";
import { getPreference } from "../session/preference.ts";
import { useStore } from "../session/store.ts";

const sidebarPreference = getPreference("sidebar");
const HIDDEN = "hidden";
const narrowScreen = matchMedia("(max-width: 52rem)");

/**
 * Returns the state of the sidebar. `setOpen` stores the preference on a wide screen and moves the drawer on a narrow.
 */
export function useSidebarState(): SidebarState {
  const [path] = useLocation();
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isDrawer = useStore({ subscribe: subscribeNarrow, get: () => narrowScreen.matches });
  const isShown = useStore(sidebarPreference) !== HIDDEN;
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

/**
 * Manages the drawer while it covers the view (`isOver`). Moves the focus into it; calls `onClose` for Escape and for a
 * click on a link in it. On close, the focus returns to the previous element, or to the new view after a navigation.
 */
export function useDrawerFocus(isOver: boolean, drawer: RefObject<HTMLElement | null>, onClose: () => void): void {
  const handleKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isCovered = document.querySelector("dialog[open], [role=menu]") !== null;
    if (event.key === "Escape" && !event.defaultPrevented && !isCovered) onClose();
  });
  const handleClick = useEffectEvent((event: Event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (link !== null) onClose();
  });
  useEffect(() => {
    const element = drawer.current;
    if (!isOver || element === null) return;
    const before = document.activeElement;
    const openedAt = location.pathname;
    element.querySelector<HTMLElement>("a, button")?.focus();
    addEventListener("keydown", handleKeyDown);
    // A link to the current page must close the drawer, too.
    element.addEventListener("click", handleClick);
    return () => {
      removeEventListener("keydown", handleKeyDown);
      element.removeEventListener("click", handleClick);
      const hasMoved = location.pathname !== openedAt;
      // The view is still inert at this point, and a new one may not be mounted yet.
      setTimeout(() => {
        const active = document.activeElement;
        if (active !== null && active !== document.body && !element.contains(active)) return;
        const back = hasMoved || !before?.isConnected ? document.getElementById("main") : before;
        if (back instanceof HTMLElement) back.focus();
      });
    };
  }, [isOver, drawer]);
}

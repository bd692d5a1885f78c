import { useEffect, useEffectEvent, type RefObject } from "react";

/** While the drawer stands over the view, the keyboard is in it; afterwards it is where it was, or in the new view. */
export function useDrawerFocus(isOver: boolean, drawer: RefObject<HTMLElement | null>, onClose: () => void): void {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    const isCovered = document.querySelector("dialog[open], [role=menu]") !== null;
    if (event.key === "Escape" && !event.defaultPrevented && !isCovered) onClose();
  });
  const follow = useEffectEvent((event: Event) => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (link !== null) onClose();
  });
  useEffect(() => {
    const element = drawer.current;
    if (!isOver || element === null) return;
    const before = document.activeElement;
    const place = location.pathname;
    element.querySelector<HTMLElement>("a, button")?.focus();
    addEventListener("keydown", hear);
    // Also a link to where one already is leads out of the drawer.
    element.addEventListener("click", follow);
    return () => {
      removeEventListener("keydown", hear);
      element.removeEventListener("click", follow);
      const hasMoved = location.pathname !== place;
      // The view is still inert while this runs, and a new one may not be there yet.
      setTimeout(() => {
        const active = document.activeElement;
        if (active !== null && active !== document.body && !element.contains(active)) return;
        const back = hasMoved || !before?.isConnected ? document.getElementById("main") : before;
        if (back instanceof HTMLElement) back.focus();
      });
    };
  }, [isOver, drawer]);
}

import { useEffect, useRef } from "react";

/** Time for the new view to mount, in ms. While it loads, the old view is hidden and cannot take the focus. */
const VIEW_MS = 150;

/** After a navigation, moves the focus to the new view if the focused element was removed with the old one. */
export function useViewFocus(place: string): void {
  const last = useRef(place);
  useEffect(() => {
    if (last.current === place) return;
    last.current = place;
    const timer = setInterval(() => {
      if (document.activeElement === document.body) document.getElementById("main")?.focus();
      else clearInterval(timer);
    }, VIEW_MS);
    return () => clearInterval(timer);
  }, [place]);
}

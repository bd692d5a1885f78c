import { useEffect, useRef } from "react";

/** Long enough for most views to be there. Where one is still loading, the old one stands hidden and takes no focus. */
const VIEW_MS = 150;

/** What had the focus may be gone with the old view: then it is in the new one, and not at the top of everything. */
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

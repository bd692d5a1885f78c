import { useEffect, useRef } from "react";

/** Time for the new view to mount, in ms. While it loads, the old view is hidden and cannot take the focus. */
const FOCUS_RETRY_MS = 150;

/**
 * After a change of `path`, moves the focus to the new view if the focused element was removed with the previous view.
 */
export function useViewFocus(path: string): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    const timer = setInterval(() => {
      if (document.activeElement === document.body) document.getElementById("main")?.focus();
      else clearInterval(timer);
    }, FOCUS_RETRY_MS);
    return () => clearInterval(timer);
  }, [path]);
}

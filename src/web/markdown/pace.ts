import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** The share of its time that a text may take while it grows is one in so many. */
const SHARE = 4;

/**
 * The text to show while it grows: the newer one as soon as showing the one before has been paid for, so that what is
 * long or heavy leaves the page time for everything else. One that does not grow is shown at once.
 */
export function usePaced(text: string, isStreaming: boolean): string {
  const [shown, setShown] = useState(text);
  const began = useRef(0);
  const next = useRef(0);
  useLayoutEffect(() => {
    if (began.current === 0) return;
    const now = performance.now();
    next.current = now + (now - began.current) * (SHARE - 1);
    began.current = 0;
  });
  useEffect(() => {
    if (!isStreaming || text === shown) return;
    const timer = setTimeout(
      () => {
        began.current = performance.now();
        setShown(text);
      },
      Math.max(0, next.current - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [text, shown, isStreaming]);
  return isStreaming ? shown : text;
}

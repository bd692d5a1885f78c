import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** The share of its time that a text may take while it grows is one in so many. */
const SHARE = 4;

/** Tells how long the next frame takes, from its beginning until what is in it has been laid out and painted. */
function afterPaint(tell: (ms: number) => void): void {
  requestAnimationFrame((from) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      tell(performance.now() - from);
      port1.close();
    });
    port1.start();
    port2.postMessage(null);
  });
}

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
    const made = now - began.current;
    began.current = 0;
    next.current = now + made * (SHARE - 1);
    afterPaint((painted) => {
      next.current = performance.now() + (made + painted) * (SHARE - 1);
    });
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

import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** Rendering a growing text may take one part in `TIME_SHARE` of the time. */
const SHARE = 4;

/** Calls `onMeasured` with the duration of the next frame in ms, from its start until layout and paint are done. */
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
 * Limits how often a growing text is rendered: after a render that took n ms, the next one waits (`TIME_SHARE` - 1) × n
 * ms, so that long texts leave time for the rest of the page. A text that does not grow is returned unchanged.
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

import { useEffect, useLayoutEffect, useRef, useState } from "react";

/** Rendering a growing text may take one part in `TIME_SHARE` of the time. */
const TIME_SHARE = 4;

/** Calls `onMeasured` with the duration of the next frame in ms, from its start until layout and paint are done. */
function measureFrame(onMeasured: (ms: number) => void): void {
  requestAnimationFrame((from) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener("message", () => {
      onMeasured(performance.now() - from);
      port1.close();
    });
    port1.start();
    port2.postMessage(null);
  });
}

/**
 * Returns the text to render: `text` itself, or while `isStreaming` an earlier state of it. After a render that took n
 * ms, the next is (`TIME_SHARE` - 1) × n ms later, so that long texts leave time for the rest of the page.
 */
export function usePacedText(text: string, isStreaming: boolean): string {
  const [shown, setShown] = useState(text);
  const renderStart = useRef(0);
  const nextRenderAt = useRef(0);
  useLayoutEffect(() => {
    if (renderStart.current === 0) return;
    const now = performance.now();
    const renderMs = now - renderStart.current;
    renderStart.current = 0;
    nextRenderAt.current = now + renderMs * (TIME_SHARE - 1);
    measureFrame((paintMs) => {
      nextRenderAt.current = performance.now() + (renderMs + paintMs) * (TIME_SHARE - 1);
    });
  });
  useEffect(() => {
    if (!isStreaming || text === shown) return;
    const timer = setTimeout(
      () => {
        renderStart.current = performance.now();
        setShown(text);
      },
      Math.max(0, nextRenderAt.current - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [text, shown, isStreaming]);
  return isStreaming ? shown : text;
}

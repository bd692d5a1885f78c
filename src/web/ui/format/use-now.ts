import { useCallback, useSyncExternalStore } from "react";

/**
 * Returns the current time in ms since the epoch, rounded down to a multiple of `everyMs`. While `isEnabled`, the
 * component renders again every `everyMs`.
 */
export function useNow(everyMs: number, isEnabled: boolean): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (!isEnabled) return () => {};
      const timer = setInterval(listener, everyMs);
      return () => clearInterval(timer);
    },
    [everyMs, isEnabled],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / everyMs) * everyMs);
}

import { useCallback, useSyncExternalStore } from "react";

/** The time in steps of so many milliseconds. It goes on by itself only as long as that is wanted. */
export function useNow(everyMs: number, isWanted: boolean): number {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (!isWanted) return () => {};
      const timer = setInterval(listener, everyMs);
      return () => clearInterval(timer);
    },
    [everyMs, isWanted],
  );
  return useSyncExternalStore(subscribe, () => Math.floor(Date.now() / everyMs) * everyMs);
}

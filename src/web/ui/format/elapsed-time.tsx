import { useFormatter } from "./formatter.ts";
import { useCallback, useSyncExternalStore } from "react";

/** In ms since the epoch; absent while unknown. */
export type TimeSpan = { readonly from?: number; readonly to?: number };

const SECOND_MS = 1_000;

/**
 * Shows the duration of a span; without an end, counts up while `isRunning`. Renders nothing without a start, or
 * without an end if it is not running.
 */
export function ElapsedTime({
  span: { from, to },
  isRunning,
}: {
  readonly span: TimeSpan;
  readonly isRunning: boolean;
}) {
  const format = useFormatter();
  const now = useNow(SECOND_MS, isRunning && from !== undefined && to === undefined);
  if (from === undefined) return null;
  if (to !== undefined) return <span>{format.duration(Math.max(0, to - from))}</span>;
  if (!isRunning) return null;
  return <span role="timer">{format.duration(Math.max(0, Math.floor((now - from) / SECOND_MS) * SECOND_MS))}</span>;
}

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

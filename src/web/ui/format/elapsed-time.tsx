import { useFormatter } from "./formatter.ts";
import { useNow } from "./use-now.ts";

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

import { useFormat } from "../format.ts";
import { useNow } from "./now.ts";
import type { Span } from "./spans.ts";

const SECOND = 1_000;

/** Shows the duration of a span, or counts up while it runs. Renders nothing while the start is unknown. */
export function Elapsed({ span: { from, to }, isRunning }: { readonly span: Span; readonly isRunning: boolean }) {
  const format = useFormat();
  const now = useNow(SECOND, isRunning && from !== undefined && to === undefined);
  if (from === undefined) return null;
  if (to !== undefined) return <span>{format.duration(Math.max(0, to - from))}</span>;
  if (!isRunning) return null;
  return <span role="timer">{format.duration(Math.max(0, Math.floor((now - from) / SECOND) * SECOND))}</span>;
}

import { useMessages } from "../../session/language.ts";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";
import type { ScheduleRunResult } from "../../../protocol/schedules/schedule.ts";

const RUN_STATUS_TONES = {
  running: "info",
  completed: "good",
  failed: "bad",
  cancelled: "plain",
  skipped: "warn",
} as const satisfies Record<ScheduleRunResult["status"], BadgeTone>;

/** The status of a run. */
export function RunStatusBadge({ status }: { readonly status: ScheduleRunResult["status"] }) {
  const t = useMessages("schedules");
  return <Badge tone={RUN_STATUS_TONES[status]}>{t(status)}</Badge>;
}

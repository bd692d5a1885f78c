import { useWords } from "../language.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import type { ScheduleRunResult } from "../../protocol/schedules/schedule.ts";
import { WORDS } from "./words.ts";

const RUN_STATUS_TONES = {
  running: "info",
  completed: "good",
  failed: "bad",
  cancelled: "plain",
  skipped: "warn",
} as const satisfies Record<ScheduleRunResult["status"], BadgeTone>;

/** The outcome of a run. */
export function RunStatusBadge({ status }: { readonly status: ScheduleRunResult["status"] }) {
  const say = useWords(WORDS);
  return <Badge tone={RUN_STATUS_TONES[status]}>{say(status)}</Badge>;
}

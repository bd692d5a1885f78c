// Status, recurrence, next run and last run of a schedule.

import { CalendarClock, History, Repeat } from "lucide-react";
import type { Schedule, ScheduleRunResult } from "../../../protocol/schedules/schedule.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";
import { formatRecurrence } from "../../ui/format/format-recurrence.ts";
import styles from "./schedules-page.module.css";
import { RelativeTime } from "./relative-time.tsx";

type ScheduleFactsProps = { readonly schedule: Schedule };

/** Active or paused. */
export function ScheduleStatusBadge({ schedule: { status } }: ScheduleFactsProps) {
  const t = useMessages("schedules");
  return <Badge tone={status === "active" ? "good" : "warn"}>{t(status)}</Badge>;
}

/** The reason why the schedule is paused, or else the number of consecutive failures; nothing if there are none. */
export function ScheduleProblem({ schedule: { status, reason, failures } }: ScheduleFactsProps) {
  const t = useMessages("schedules");
  if (status === "paused" && reason !== undefined) return <p className={styles["reason"]}>{reason}</p>;
  return failures === 0 ? null : <p className={styles["reason"]}>{t("failures", { n: failures })}</p>;
}

/** Recurrence, next run (or that there is none) and last run with its status. */
export function ScheduleFacts({ schedule }: ScheduleFactsProps) {
  const t = useMessages("schedules");
  const language = useLanguage();
  const { schedule_config, status, next_run_at, last_run } = schedule;
  return (
    <div className={styles["facts"]}>
      <span className={styles["fact"]}>
        <Repeat size={14} aria-hidden />
        <span className="visually-hidden">{t("repeatsLabel")} </span>
        {formatRecurrence(schedule_config, language)}
      </span>
      <span className={styles["fact"]}>
        <CalendarClock size={14} aria-hidden />
        <span className={styles["quiet"]}>{t("nextRun")}</span>
        {status === "paused" ? (
          t("pausedNext")
        ) : next_run_at === undefined ? (
          t("noMoreRuns")
        ) : (
          <RelativeTime at={next_run_at} />
        )}
      </span>
      <span className={styles["fact"]}>
        <History size={14} aria-hidden />
        {last_run === undefined ? (
          t("noRunYet")
        ) : (
          <>
            <span className={styles["quiet"]}>{t("lastRun")}</span>
            <RunStatusBadge status={last_run.status} />
            <RelativeTime at={last_run.due_at} />
          </>
        )}
      </span>
    </div>
  );
}

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

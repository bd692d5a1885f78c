// Status, next run and last run of a schedule.

import { CalendarClock, History, Repeat } from "lucide-react";
import type { Schedule } from "../../protocol/schedules/schedule.ts";
import { useLanguage, useWords } from "../language.ts";
import { Badge } from "../ui/badge.tsx";
import { formatRecurrence } from "./format-recurrence.ts";
import { RunStatusBadge } from "./run-status-badge.tsx";
import styles from "./schedules-page.module.css";
import { RelativeTime } from "./relative-time.tsx";
import { WORDS } from "./words.ts";

type ScheduleStatusBadge = { readonly schedule: Schedule };

export function ScheduleStatusBadge({ schedule: { status } }: ScheduleStatusBadge) {
  const say = useWords(WORDS);
  return <Badge tone={status === "active" ? "good" : "warn"}>{say(status)}</Badge>;
}

/** The reason why the schedule is paused, or the number of consecutive failures. */
export function ScheduleProblem({ schedule: { status, reason, failures } }: ScheduleStatusBadge) {
  const say = useWords(WORDS);
  if (status === "paused" && reason !== undefined) return <p className={styles["reason"]}>{reason}</p>;
  return failures === 0 ? null : <p className={styles["reason"]}>{say("failures", { n: failures })}</p>;
}

export function ScheduleFacts({ schedule }: ScheduleStatusBadge) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const { schedule_config, status, next_run_at, last_run } = schedule;
  return (
    <div className={styles["facts"]}>
      <span className={styles["fact"]}>
        <Repeat size={14} aria-hidden />
        <span className="visually-hidden">{say("rhythm")}:</span>
        {formatRecurrence(schedule_config, language)}
      </span>
      <span className={styles["fact"]}>
        <CalendarClock size={14} aria-hidden />
        <span className={styles["quiet"]}>{say("next")}</span>
        {status === "paused" ? (
          say("pausedNext")
        ) : next_run_at === undefined ? (
          say("never")
        ) : (
          <RelativeTime at={next_run_at} />
        )}
      </span>
      <span className={styles["fact"]}>
        <History size={14} aria-hidden />
        {last_run === undefined ? (
          say("noRunYet")
        ) : (
          <>
            <span className={styles["quiet"]}>{say("lastRun")}</span>
            <RunStatusBadge status={last_run.status} />
            <RelativeTime at={last_run.due_at} />
          </>
        )}
      </span>
    </div>
  );
}

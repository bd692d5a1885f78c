import { Play, Trash2, CalendarClock, History, Repeat } from "lucide-react";
import { useState } from "react";
import type { Schedule, ScheduleRunResult } from "../../../protocol/schedules/schedule.ts";
import { useAgentNames } from "../agents/use-agents.ts";
import { useMessages, useLanguage } from "../../session/language.ts";
import { Card, CardText, CoverLink } from "../../ui/card-list.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toast.tsx";
import styles from "./schedules-page.module.css";
import { useSetScheduleStatus, useRunSchedule, useDeleteSchedule } from "./use-schedules.ts";
import { ConfirmDialog } from "../../ui/overlay/dialog.tsx";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";
import { formatRecurrence } from "../../ui/format/format-recurrence.ts";
import { RelativeTime } from "./relative-time.tsx";

/** A schedule in the list, with actions: run now, delete, pause or resume. */
export function ScheduleCard({ schedule }: { readonly schedule: Schedule }) {
  const { schedule_id: id, title, query, agent_name, last_run } = schedule;
  const agent = useAgentNames()(agent_name);
  return (
    <Card look={styles["row"]}>
      <div className={styles["words"]}>
        <div className={styles["head"]}>
          <h2>
            <CoverLink href={`/schedules/${id}`}>{title}</CoverLink>
          </h2>
          <ScheduleStatusBadge schedule={schedule} />
        </div>
        {query.toLowerCase() === title.toLowerCase() ? null : <CardText>{query}</CardText>}
        <div className={styles["facts"]}>
          <span className={styles["fact"]}>
            <Avatar name={agent_name} label={agent} size="small" />
            {agent}
          </span>
        </div>
        <ScheduleFacts schedule={schedule} />
        <ScheduleProblem schedule={schedule} />
        {last_run?.error === undefined ? null : <p className={styles["error"]}>{last_run.error}</p>}
      </div>
      <ScheduleCardActions schedule={schedule} />
    </Card>
  );
}

function ScheduleCardActions({ schedule }: { readonly schedule: Schedule }) {
  const t = useMessages("schedules");
  const { schedule_id: id, title, status, last_run } = schedule;
  const pause = useSetScheduleStatus();
  const run = useRunSchedule(id);
  const [isRemoving, setRemoving] = useState(false);
  const isRunning = run.isPending || last_run?.status === "running";
  return (
    <div className={styles["actions"]}>
      <IconButton
        label={t("runNowNamed", { title })}
        disabled={isRunning}
        onClick={() => run.mutate(undefined, { onSuccess: () => showToast(t("started", { title })) })}
      >
        <Play size={18} aria-hidden />
      </IconButton>
      <IconButton label={t("deleteNamed", { title })} onClick={() => setRemoving(true)}>
        <Trash2 size={18} aria-hidden />
      </IconButton>
      {status === "completed" ? null : (
        <Switch
          label={t("enable", { title })}
          isOn={status === "active"}
          onChange={(isOn) => pause.mutate({ id, status: isOn ? "active" : "paused" })}
        />
      )}
      {isRemoving ? <RemoveScheduleDialog schedule={schedule} onClose={() => setRemoving(false)} /> : null}
    </div>
  );
}

/**
 * Asks for confirmation and deletes a schedule. Calls `onRemoved` after the deletion, before the caches are updated.
 * Shows an error in the dialog.
 */
export function RemoveScheduleDialog({
  schedule: { schedule_id: id, title },
  onRemoved,
  onClose,
}: {
  readonly schedule: Schedule;
  readonly onRemoved?: () => void;
  readonly onClose: () => void;
}) {
  const t = useMessages("schedules");
  const remove = useDeleteSchedule(id);
  const confirm = async () => {
    await remove(onRemoved);
    showToast(t("removed", { title }));
  };
  return (
    <ConfirmDialog title={t("removeTitle", { title })} action={t("remove")} onConfirm={confirm} onClose={onClose}>
      <p>{t("removeMore")}</p>
    </ConfirmDialog>
  );
}

// Status, recurrence, next run and last run of a schedule.

type ScheduleFactsProps = { readonly schedule: Schedule };

const STATUS_TONES = { active: "good", paused: "warn", completed: "plain" } as const;

/** Active, paused, or completed after its single run. */
export function ScheduleStatusBadge({ schedule: { status } }: ScheduleFactsProps) {
  const t = useMessages("schedules");
  return <Badge tone={STATUS_TONES[status]}>{t(status)}</Badge>;
}

/** The reason why the schedule is paused or its single run failed, or else the number of consecutive failures; nothing if there are none. */
export function ScheduleProblem({ schedule: { status, reason, failures } }: ScheduleFactsProps) {
  const t = useMessages("schedules");
  if (status !== "active" && reason !== undefined) return <p className={styles["reason"]}>{reason}</p>;
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

import { Play, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Schedule } from "../../../protocol/schedules/schedule.ts";
import { useAgentNames } from "../agents/use-agents.ts";
import { useMessages } from "../../session/language.ts";
import { Card, CardText, CoverLink } from "../../ui/card-list.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showToast } from "../../ui/toast.tsx";
import { ScheduleFacts, ScheduleStatusBadge, ScheduleProblem } from "./schedule-facts.tsx";
import styles from "./schedules-page.module.css";
import { useSetScheduleStatus, useRunSchedule, useDeleteSchedule } from "./use-schedules.ts";
import { ConfirmDialog } from "../../ui/overlay/dialog.tsx";

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
      <Switch
        label={t("enable", { title })}
        isOn={status === "active"}
        onChange={(isOn) => pause.mutate({ id, status: isOn ? "active" : "paused" })}
      />
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

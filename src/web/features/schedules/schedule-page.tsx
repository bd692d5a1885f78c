import { Pencil, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { toFault } from "../../../protocol/wire/fault.ts";
import type { Schedule as ScheduleData } from "../../../protocol/schedules/schedule.ts";
import { useAgentNames } from "../agents/use-agents.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { useNow } from "../../ui/format/elapsed-time.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/overlay/menu.tsx";
import { LoadFailure, Loading } from "../../ui/notice.tsx";
import { Panel, BackLink } from "../../ui/panel.tsx";
import { Switch } from "../../ui/switch.tsx";
import { EditScheduleDialog } from "./edit-schedule-dialog.tsx";
import { RemoveScheduleDialog, ScheduleFacts, ScheduleStatusBadge, ScheduleProblem } from "./schedule-card.tsx";
import { ScheduleResults } from "./schedule-results.tsx";
import styles from "./schedule-page.module.css";
import { useSetScheduleStatus, useRunSchedule, useSchedule, useScheduleRuns } from "./use-schedules.ts";
import { ScheduleWebhook } from "./schedule-webhook.tsx";
import { formatShortDate } from "./relative-time.tsx";

/** The page of one schedule: status, prompt, next runs, results, webhook, and actions. */
export function SchedulePage({ id }: { readonly id: string }) {
  const t = useMessages("schedules");
  const { data: schedule, error, refetch } = useSchedule(id);
  // Deleted elsewhere: the cached schedule must not be shown as active.
  const isGone = error !== null && toFault(error).code === "not_found";
  if (schedule !== undefined && !isGone) return <ScheduleDetails schedule={schedule} />;
  return (
    <Panel title={t("schedule")}>
      <BackLink href="/schedules" label={t("title")} />
      {error === null ? <Loading /> : <LoadFailure error={error} onRetry={() => void refetch()} />}
    </Panel>
  );
}

function ScheduleDetails({ schedule }: { readonly schedule: ScheduleData }) {
  const t = useMessages("schedules");
  const { schedule_id: id, title, query, agent_name, conversation_id, catch_up } = schedule;
  const runs = useScheduleRuns(id);
  const agent = useAgentNames()(agent_name);
  return (
    <Panel
      title={title}
      actions={<ScheduleActions schedule={schedule} onRun={runs.expectRun} isRunning={runs.isRunning} />}
    >
      <BackLink href="/schedules" label={t("title")} />
      <div className={styles["sheet"]}>
        <section className={styles["section"]}>
          <ScheduleSwitch schedule={schedule} />
          <ScheduleFacts schedule={schedule} />
          <ScheduleProblem schedule={schedule} />
          {schedule.last_run?.error === undefined ? null : <p className={styles["error"]}>{schedule.last_run.error}</p>}
        </section>
        <section className={styles["section"]}>
          <h2>{t("prompt")}</h2>
          <p className={styles["query"]}>{query}</p>
          <div className={styles["line"]}>
            <Avatar name={agent_name} label={agent} size="small" />
            <Link href={`/agents/${encodeURIComponent(agent_name)}`}>{agent}</Link>
            <Link href={`/c/${conversation_id}`}>{t("sourceConversation")}</Link>
          </div>
        </section>
        <NextRuns schedule={schedule} />
        <ScheduleResults runs={runs} conversationId={conversation_id} />
        <section className={styles["section"]}>
          <h2>{t("catchUp")}</h2>
          <p>{t(catch_up)}</p>
        </section>
        <ScheduleWebhook schedule={schedule} />
      </div>
    </Panel>
  );
}

function ScheduleSwitch({ schedule }: { readonly schedule: ScheduleData }) {
  const t = useMessages("schedules");
  const { schedule_id: id, title, status } = schedule;
  const pause = useSetScheduleStatus();
  return (
    <div className={styles["line"]}>
      {status === "completed" ? null : (
        <Switch
          label={t("enable", { title })}
          isOn={status === "active"}
          onChange={(isOn) => pause.mutate({ id, status: isOn ? "active" : "paused" })}
        />
      )}
      <ScheduleStatusBadge schedule={schedule} />
    </div>
  );
}

function ScheduleActions({
  schedule,
  isRunning,
  onRun,
}: {
  readonly schedule: ScheduleData;
  readonly isRunning: boolean;
  readonly onRun: () => void;
}) {
  const t = useMessages("schedules");
  const [, navigate] = useLocation();
  const [openDialog, setOpenDialog] = useState<"edit" | "remove" | null>(null);
  const run = useRunSchedule(schedule.schedule_id);
  const close = () => setOpenDialog(null);
  const items = [
    { label: t("edit"), icon: <Pencil size={16} aria-hidden />, onSelect: () => setOpenDialog("edit") },
    {
      label: t("remove"),
      icon: <Trash2 size={16} aria-hidden />,
      isDangerous: true,
      onSelect: () => setOpenDialog("remove"),
    },
  ];
  return (
    <>
      <Button
        look="primary"
        disabled={run.isPending || isRunning}
        onClick={() => run.mutate(undefined, { onSuccess: onRun })}
      >
        <Play size={16} aria-hidden />
        {t("runNow")}
      </Button>
      <Menu items={items} />
      {openDialog === "edit" ? <EditScheduleDialog schedule={schedule} onClose={close} /> : null}
      {openDialog === "remove" ? (
        <RemoveScheduleDialog schedule={schedule} onClose={close} onRemoved={() => navigate("/schedules")} />
      ) : null}
    </>
  );
}

const CLOCK_STEP_MS = 30_000;

function NextRuns({
  schedule: { next_runs: runs = [], status, schedule_config },
}: {
  readonly schedule: ScheduleData;
}) {
  const t = useMessages("schedules");
  const language = useLanguage();
  const now = useNow(CLOCK_STEP_MS, runs.length > 0);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isElsewhere = schedule_config.timezone !== undefined && schedule_config.timezone !== zone;
  return (
    <section className={styles["section"]}>
      <h2>{t("nextRuns")}</h2>
      {status === "paused" || runs.length === 0 ? (
        <p className="quiet">{t(status === "paused" ? "pausedNext" : "noMoreRuns")}</p>
      ) : (
        <ol className={styles["runs"]}>
          {runs.map((at) => (
            <li key={at}>
              <time dateTime={new Date(at).toISOString()}>{formatShortDate(language, at, now)}</time>
            </li>
          ))}
        </ol>
      )}
      {isElsewhere && runs.length > 0 ? <p className="quiet">{t("inYourZone", { zone })}</p> : null}
    </section>
  );
}

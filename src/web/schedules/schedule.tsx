import { Pencil, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { toFault } from "../../protocol/fault.ts";
import type { Schedule as ScheduleData } from "../../protocol/recurring.ts";
import { useAgentNames } from "../chat/names.ts";
import { useLanguage, useWords } from "../language.ts";
import { useNow } from "../plan/now.ts";
import { Avatar } from "../ui/avatar.tsx";
import { Back } from "../ui/back.tsx";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Failure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { Switch } from "../ui/switch.tsx";
import { Edit } from "./edit.tsx";
import { Facts, Standing, Trouble } from "./facts.tsx";
import { Remove } from "./remove.tsx";
import { Results } from "./results.tsx";
import styles from "./schedule.module.css";
import { usePause, useRunNow, useSchedule } from "./use-schedules.ts";
import { useRuns } from "./use-runs.ts";
import { Webhook } from "./webhook.tsx";
import { dateIn } from "./when.tsx";
import { WORDS } from "./words.ts";

/** The page of one schedule. */
export function Schedule({ id }: { readonly id: string }) {
  const say = useWords(WORDS);
  const { data: schedule, error, refetch } = useSchedule(id);
  // Deleted elsewhere: the cached schedule must not be shown as active.
  const isGone = error !== null && toFault(error).code === "not_found";
  if (schedule !== undefined && !isGone) return <Sheet schedule={schedule} />;
  return (
    <Panel title={say("schedule")}>
      <Back href="/schedules" label={say("title")} />
      {error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />}
    </Panel>
  );
}

function Sheet({ schedule }: { readonly schedule: ScheduleData }) {
  const say = useWords(WORDS);
  const { schedule_id: id, title, query, agent_name, conversation_id, catch_up } = schedule;
  const runs = useRuns(id);
  const agent = useAgentNames()(agent_name);
  return (
    <Panel title={title} actions={<Actions schedule={schedule} onRun={runs.expect} isRunning={runs.isRunning} />}>
      <Back href="/schedules" label={say("title")} />
      <div className={styles["sheet"]}>
        <section className={styles["section"]}>
          <Head schedule={schedule} />
          <Facts schedule={schedule} />
          <Trouble schedule={schedule} />
          {schedule.last_run?.error === undefined ? null : <p className={styles["error"]}>{schedule.last_run.error}</p>}
        </section>
        <section className={styles["section"]}>
          <h2>{say("asked")}</h2>
          <p className={styles["query"]}>{query}</p>
          <div className={styles["line"]}>
            <Avatar name={agent_name} label={agent} size="small" />
            <Link href={`/agents/${encodeURIComponent(agent_name)}`}>{agent}</Link>
            <Link href={`/c/${conversation_id}`}>{say("madeIn")}</Link>
          </div>
        </section>
        <NextRuns schedule={schedule} />
        <Results runs={runs} conversationId={conversation_id} />
        <section className={styles["section"]}>
          <h2>{say("catchUp")}</h2>
          <p>{say(catch_up)}</p>
        </section>
        <Webhook schedule={schedule} />
      </div>
    </Panel>
  );
}

function Head({ schedule }: { readonly schedule: ScheduleData }) {
  const say = useWords(WORDS);
  const { schedule_id: id, title, status } = schedule;
  const pause = usePause();
  return (
    <div className={styles["line"]}>
      <Switch
        label={say("runsByItself", { title })}
        isOn={status === "active"}
        onChange={(isOn) => pause.mutate({ id, status: isOn ? "active" : "paused" })}
      />
      <Standing schedule={schedule} />
    </div>
  );
}

function Actions({
  schedule,
  isRunning,
  onRun,
}: {
  readonly schedule: ScheduleData;
  readonly isRunning: boolean;
  readonly onRun: () => void;
}) {
  const say = useWords(WORDS);
  const [, go] = useLocation();
  const [asks, setAsks] = useState<"edit" | "remove" | null>(null);
  const run = useRunNow(schedule.schedule_id);
  const close = () => setAsks(null);
  const items = [
    { label: say("edit"), icon: <Pencil size={16} aria-hidden />, onSelect: () => setAsks("edit") },
    {
      label: say("remove"),
      icon: <Trash2 size={16} aria-hidden />,
      isDangerous: true,
      onSelect: () => setAsks("remove"),
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
        {say("runNow")}
      </Button>
      <Menu items={items} />
      {asks === "edit" ? <Edit schedule={schedule} onClose={close} /> : null}
      {asks === "remove" ? <Remove schedule={schedule} onClose={close} onRemoved={() => go("/schedules")} /> : null}
    </>
  );
}

const STEP_MS = 30_000;

function NextRuns({
  schedule: { next_runs: runs = [], status, schedule_config },
}: {
  readonly schedule: ScheduleData;
}) {
  const say = useWords(WORDS);
  const language = useLanguage();
  const now = useNow(STEP_MS, runs.length > 0);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isElsewhere = schedule_config.timezone !== undefined && schedule_config.timezone !== zone;
  return (
    <section className={styles["section"]}>
      <h2>{say("nextRuns")}</h2>
      {status === "paused" || runs.length === 0 ? (
        <p className={styles["quiet"]}>{say(status === "paused" ? "pausedNext" : "never")}</p>
      ) : (
        <ol className={styles["runs"]}>
          {runs.map((at) => (
            <li key={at}>
              <time dateTime={new Date(at).toISOString()}>{dateIn(language, at, now)}</time>
            </li>
          ))}
        </ol>
      )}
      {isElsewhere && runs.length > 0 ? <p className={styles["quiet"]}>{say("inYourZone", { zone })}</p> : null}
    </section>
  );
}

import type { WorkflowInstanceDetails } from "../../../../protocol/workflows/workflow-instance.ts";
import { useAgentNames } from "../../agents/use-agents.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages, type Translate } from "../../../session/language.ts";
import { drawInstance, formatStatusReason, type ListenerNames } from "../diagram/drawn-workflow.ts";
import { useListenerNames } from "../diagram/workflow-diagram.tsx";
import styles from "./workflow-instance.module.css";

type NameLookup = (id: string) => string;
type TimelineEntry = WorkflowInstanceDetails["log"][number];

/** The log of an instance, oldest entry first, with the names of tasks, agents and listeners in place of their ids. */
export function InstanceTimeline({ instance }: { readonly instance: WorkflowInstanceDetails }) {
  const { log, tasks } = instance;
  const t = useMessages("workflows");
  const format = useFormatter();
  const getAgentName = useAgentNames();
  const listenerNames = useListenerNames(drawInstance(instance, undefined, null));
  const getTaskName = (id: string) => tasks.find(({ task_id }) => task_id === id)?.name ?? id;
  return (
    <section className={styles["section"]}>
      <h2>{t("timeline")}</h2>
      <ol className={styles["timeline"]}>
        {log.map((entry, i) => (
          // The log is append-only.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i} data-type={entry.type}>
            <time dateTime={new Date(entry.at).toISOString()}>{format.timeWithSeconds(entry.at)}</time>
            <span>
              {formatLogEntry(entry, { getTaskName, getAgentName, listenerNames, t })}
              <span className="quiet"> {formatEntryReason(entry, listenerNames)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function formatEntryReason(entry: TimelineEntry, names: ListenerNames): string {
  return entry.type === "TASK_STATUS_CHANGE" ? formatStatusReason(entry.new_status, entry.reason, names) : "";
}

const EXECUTED_KEYS = { done: "logDone", failed: "logFailed", cancelled: "logCancelled" } as const;

type TimelineNames = {
  readonly getTaskName: NameLookup;
  readonly getAgentName: NameLookup;
  readonly listenerNames: ListenerNames;
  readonly t: Translate<"workflows">;
};

function formatLogEntry(entry: TimelineEntry, { getTaskName, getAgentName, listenerNames, t }: TimelineNames): string {
  const getListenerName = (id: string) => listenerNames.get(id) ?? id;
  switch (entry.type) {
    case "PLAN_STARTED":
      return t("logStarted");
    case "TASK_STATUS_CHANGE": {
      const { task_id, old_status, new_status } = entry;
      return t("logTask", { task: getTaskName(task_id), before: t(old_status), after: t(new_status) });
    }
    case "LISTENER_TRIGGERED":
      return t("logTriggered", { listener: getListenerName(entry.listener_id) });
    case "TOOL_CALLED":
      return t("logTool", { agent: getAgentName(entry.agent_id), tool: entry.tool });
    case "LISTENER_EXECUTED":
      return t(EXECUTED_KEYS[entry.status], { listener: getListenerName(entry.listener_id) });
    case "PLAN_COMPLETED":
      return t("logCompleted", { status: t(`status_${entry.status}`) });
  }
}

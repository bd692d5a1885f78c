import type { WorkflowInstanceDetails } from "../../protocol/workflows/workflow-instance.ts";
import { useAgentNames } from "../chat/use-agent-names.ts";
import { useFormatter } from "../formatter.ts";
import { useWords, type Say } from "../language.ts";
import styles from "./workflow-instance.module.css";
import { translateReason } from "./translate-reason.ts";
import { WORDS } from "./words.ts";

type NameLookup = (id: string) => string;
type TimelineEntry = WorkflowInstanceDetails["log"][number];

/** The log of an instance, oldest entry first. */
export function InstanceTimeline({ instance: { log, tasks } }: { readonly instance: WorkflowInstanceDetails }) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const agentName = useAgentNames();
  const nameOf = (id: string) => tasks.find(({ task_id }) => task_id === id)?.name ?? id;
  return (
    <section className={styles["section"]}>
      <h2>{say("timeline")}</h2>
      <ol className={styles["timeline"]}>
        {log.map((entry, i) => (
          // The log is append-only.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={i} data-type={entry.type}>
            <time dateTime={new Date(entry.at).toISOString()}>{format.timeWithSeconds(entry.at)}</time>
            <span>
              {formatLogEntry(entry, nameOf, agentName, say)}
              {entry.type === "TASK_STATUS_CHANGE" && entry.reason !== "" ? (
                <span className={styles["quiet"]}> {translateReason(say, entry.reason)}</span>
              ) : null}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const EXECUTED_KEYS = { done: "logDone", failed: "logFailed", cancelled: "logCancelled" } as const;

function formatLogEntry(
  entry: TimelineEntry,
  nameOf: NameLookup,
  agentName: NameLookup,
  say: Say<keyof (typeof WORDS)["en"]>,
): string {
  switch (entry.type) {
    case "PLAN_STARTED":
      return say("logStarted");
    case "TASK_STATUS_CHANGE": {
      const { task_id, old_status, new_status } = entry;
      return say("logTask", { task: nameOf(task_id), before: say(old_status), after: say(new_status) });
    }
    case "LISTENER_TRIGGERED":
      return say("logTriggered", { listener: entry.listener_id });
    case "TOOL_CALLED":
      return say("logTool", { agent: agentName(entry.agent_id), tool: entry.tool });
    case "LISTENER_EXECUTED":
      return say(EXECUTED_KEYS[entry.status], { listener: entry.listener_id });
    case "PLAN_COMPLETED":
      return say("logCompleted", { status: say(`status_${entry.status}`) });
  }
}

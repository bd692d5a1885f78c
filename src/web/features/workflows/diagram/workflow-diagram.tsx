// The diagram of a workflow: its tasks in the order of their dependencies, each with the listeners that change it.

import { useMemo } from "react";
import type { TaskStatus } from "../../../../protocol/plans/task-plan.ts";
import { CANONICAL_STATUS } from "../../../../protocol/workflows/workflow-template.ts";
import { useMessages } from "../../../session/language.ts";
import { LaneRow } from "../../conversations/task-plan/lane-row.tsx";
import { isDrawableGraph, type GraphRow } from "../../conversations/task-plan/task-graph.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { ListenerCard } from "./listener-card.tsx";
import {
  type DrawnTask,
  type DrawnWorkflow,
  type DrawnTaskStatus,
  listTaskListeners,
  layoutWorkflow,
  buildGraphTasks,
  formatStatusReason,
  type ListenerNames,
  type DrawnListener,
} from "./drawn-workflow.ts";
import styles from "./workflow-diagram.module.css";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { JsonView } from "../../../ui/format/json-view.tsx";
import { useAgentNames } from "../../agents/use-agents.ts";

/** Draws the lines of the dependencies unless there are too many; see `isDrawableGraph`. */
export function WorkflowDiagram({ workflow }: { readonly workflow: DrawnWorkflow }) {
  const { tasks, listeners, mainId } = workflow;
  const graph = useMemo(
    () => layoutWorkflow(buildGraphTasks(tasks, listeners, mainId), mainId),
    [tasks, listeners, mainId],
  );
  const byId = useMemo(() => new Map(tasks.map((task) => [task.task_id, task])), [tasks]);
  const done = tasks.filter(({ execution }) => execution?.status === "Done").map(({ task_id }) => task_id);
  // The main task triggers its successors when it starts, not when it is done, so its lines are active then.
  const mainExecution = byId.get(mainId)?.execution;
  const reached = mainExecution === undefined || mainExecution.status === "NotStarted" ? done : [...done, mainId];
  const lanes = isDrawableGraph(graph) ? graph.lanes : 0;
  return (
    <ol className={styles["picture"]}>
      {graph.rows.map((row) => {
        const task = byId.get(row.task_id);
        return task === undefined ? null : (
          <WorkflowTaskRow key={row.task_id} task={task} row={row} lanes={lanes} done={reached} workflow={workflow} />
        );
      })}
    </ol>
  );
}

const TASK_TONES = {
  NotStarted: "plain",
  Running: "info",
  Retrying: "warn",
  Pending: "warn",
  Done: "good",
  Error: "bad",
  Stopped: "plain",
} as const satisfies Record<DrawnTaskStatus, BadgeTone>;

const toTaskStatus = (status: DrawnTaskStatus): TaskStatus =>
  status === "Stopped" ? "cancelled" : CANONICAL_STATUS[status];

const getStatusKey = (status: DrawnTaskStatus) => (status === "Stopped" ? "status_cancelled" : status);

function WorkflowTaskRow({
  task,
  row,
  lanes,
  done,
  workflow,
}: {
  readonly task: DrawnTask;
  readonly row: GraphRow;
  /** 0 if no lines are drawn. */
  readonly lanes: number;
  readonly done: readonly string[];
  readonly workflow: DrawnWorkflow;
}) {
  const t = useMessages("workflows");
  const { task_id, name, execution } = task;
  const isMain = task_id === workflow.mainId;
  const listenerNames = useListenerNames(workflow);
  const listeners = listTaskListeners(workflow.listeners, task_id);
  return (
    <LaneRow row={row} lanes={lanes} done={done} status={toTaskStatus(execution?.status ?? "NotStarted")}>
      <div className={styles["told"]}>
        <div className={styles["head"]}>
          <h3>{name}</h3>
          {isMain ? <Badge tone="info">{t("mainTask")}</Badge> : null}
          {execution === undefined ? null : (
            <Badge tone={TASK_TONES[execution.status]}>{t(getStatusKey(execution.status))}</Badge>
          )}
        </div>
        <WorkflowTaskDetails task={task} listenerNames={listenerNames} />
        {isMain ? <p className="quiet">{t("startsWithRun")}</p> : null}
        {listeners.length === 0 && !isMain ? <p className="quiet">{t("noListeners")}</p> : null}
        {listeners.map((listener) => (
          <ListenerCard
            key={listener.listener_id}
            listener={listener}
            name={listenerNames.get(listener.listener_id)}
            tasks={workflow.tasks}
          />
        ))}
      </div>
    </LaneRow>
  );
}

/** Shows prompt, context values and status history of a task, each only if there is something to show. */
function WorkflowTaskDetails({
  task: { name, prompt, execution },
  listenerNames,
}: {
  readonly task: DrawnTask;
  readonly listenerNames: ListenerNames;
}) {
  const t = useMessages("workflows");
  const format = useFormatter();
  const { context = {}, status_trace: trace = [] } = execution ?? {};
  return (
    <>
      {prompt === "" || prompt === name ? null : <p className="quiet">{prompt}</p>}
      {Object.keys(context).length === 0 ? null : (
        <details className={styles["fold"]}>
          <summary>{t("values", { names: Object.keys(context).slice(0, 4).join(", ") })}</summary>
          <JsonView value={context} />
        </details>
      )}
      {trace.length === 0 ? null : (
        <details className={styles["fold"]}>
          <summary>{t("statusHistory")}</summary>
          <ol className={styles["trace"]}>
            {trace.map(({ status, reason, timestamp }) => (
              <li key={timestamp}>
                <time dateTime={new Date(timestamp).toISOString()}>{format.timeWithSeconds(timestamp)}</time>{" "}
                <strong>{t(status)}</strong> {formatStatusReason(status, reason, listenerNames)}
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** Returns the names of listeners for people, by listener id: each names its agent and the task that it changes. */
export function useListenerNames({
  tasks,
  listeners,
}: {
  readonly tasks: DrawnWorkflow["tasks"];
  readonly listeners: readonly Pick<DrawnListener, "listener_id" | "agent" | "target">[];
}): ListenerNames {
  const t = useMessages("workflows");
  const getAgentName = useAgentNames();
  return new Map(
    listeners.map(({ listener_id, agent, target }) => {
      const task = tasks.find(({ task_id }) => task_id === target)?.name ?? target;
      return [listener_id, t("listenerName", { agent: agent === null ? t("code") : getAgentName(agent), task })];
    }),
  );
}

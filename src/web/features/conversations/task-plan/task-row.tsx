import { CircleStop } from "lucide-react";
import { memo, useId } from "react";
import type { Item } from "../../../../protocol/wire/items.ts";
import { isFinalTaskStatus, type Task } from "../../../../protocol/plans/task-plan.ts";
import { useAgentNames } from "../../agents/use-agents.ts";
import { useMessages } from "../../../session/language.ts";
import { IconButton } from "../../../ui/button.tsx";
import type { TaskTiming } from "./use-task-timings.ts";
import { isTaskActive, buildPreview } from "./plan-facts.ts";
import { setFold, useFold } from "../state/shown-items.ts";
import { LaneRow } from "./lane-row.tsx";
import type { GraphRow } from "./task-graph.ts";
import { hasSameTaskHeader, TaskRecurrence, TaskHeader } from "./task-header.tsx";
import styles from "./task-row.module.css";
import { TaskStream } from "./task-stream.tsx";

type TaskRowProps = {
  readonly task: Task;
  readonly row: GraphRow;
  /** The number of lanes of the plan; 0 if no lines are drawn. */
  readonly lanes: number;
  /** The ids of the completed tasks, separated by spaces: a string is compared by value. */
  readonly done: string;
  readonly inputs: readonly string[];
  readonly items: readonly Item[];
  readonly timing: TaskTiming;
  readonly tokens: number | null;
  readonly onStop: (task: Task) => void;
};

/**
 * A task with its stream, which can be folded. Active tasks are open unless the person has folded them, and have a stop
 * button. A folded completed task shows the first line of its result.
 */
export const TaskRow = memo(function TaskRow({ row, lanes, done, items, onStop, ...head }: TaskRowProps) {
  const { task } = head;
  const t = useMessages("taskPlan");
  const id = useId();
  const canOpen = items.length > 0 || isTaskActive(task.status);
  const isOpen = (useFold(task.task_id) ?? isTaskActive(task.status)) && canOpen;
  const titles = { title: task.title, agent: useAgentNames()(task.agent_name) };
  return (
    <LaneRow row={row} lanes={lanes} done={done.split(" ")} status={task.status}>
      <div className={styles["head"]}>
        {canOpen ? (
          <button
            type="button"
            className={styles["toggle"]}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setFold(task.task_id, !isOpen)}
          >
            <TaskHeader {...head} isOpen={isOpen} />
          </button>
        ) : (
          <div className={styles["toggle"]}>
            <TaskHeader {...head} isOpen={null} />
          </div>
        )}
        {isTaskActive(task.status) ? (
          <IconButton label={t("stopTask", titles)} onClick={() => onStop(task)}>
            <CircleStop size={18} aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <TaskRecurrence task={task} />
      {isFinalTaskStatus(task.status) && task.error !== undefined ? (
        <p className={task.status === "failed" ? styles["error"] : styles["reason"]}>{task.error}</p>
      ) : null}
      {isOpen ? (
        <TaskStream id={id} items={items} status={task.status} label={t("stream", titles)} />
      ) : (
        <TaskPreview task={task} />
      )}
    </LaneRow>
  );
}, hasSameTaskRowProps);

/** Shows the first line of the result of a folded task. */
function TaskPreview({ task: { status, result = "" } }: { readonly task: Task }) {
  if (status !== "completed") return null;
  const text = buildPreview(result);
  return text === "" ? null : <p className={styles["preview"]}>{text}</p>;
}

function hasSameTaskRowProps(before: TaskRowProps, now: TaskRowProps): boolean {
  return (
    before.items === now.items &&
    before.lanes === now.lanes &&
    before.done === now.done &&
    hasSameTaskHeader(before, now)
  );
}

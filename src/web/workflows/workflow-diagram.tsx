// The diagram of a workflow: its tasks in the order of their dependencies, each with the listeners that change it.

import { useMemo } from "react";
import type { TaskStatus } from "../../protocol/plans/task-plan.ts";
import { CANONICAL_STATUS } from "../../protocol/workflows/workflow-template.ts";
import { useWords } from "../language.ts";
import { LaneRow } from "../task-plan/lane-row.tsx";
import { isDrawableGraph, type GraphRow } from "../task-plan/task-graph.ts";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { listTaskListeners, layoutWorkflow, buildGraphTasks } from "./listener-links.ts";
import { ListenerCard } from "./listener-card.tsx";
import type { DrawnTask, DrawnWorkflow, DrawnTaskStatus } from "./drawn-workflow.ts";
import styles from "./workflow-diagram.module.css";
import { WorkflowTaskDetails } from "./workflow-task-details.tsx";
import { WORDS } from "./words.ts";

export function WorkflowDiagram({ picture }: { readonly picture: DrawnWorkflow }) {
  const { tasks, listeners, mainId } = picture;
  const graph = useMemo(
    () => layoutWorkflow(buildGraphTasks(tasks, listeners, mainId), mainId),
    [tasks, listeners, mainId],
  );
  const byId = useMemo(() => new Map(tasks.map((task) => [task.task_id, task])), [tasks]);
  const done = tasks.filter(({ course }) => course?.status === "Done").map(({ task_id }) => task_id);
  // The main task triggers its successors when it starts, not when it is done, so its lines are active then.
  const mainCourse = byId.get(mainId)?.course;
  const reached = mainCourse === undefined || mainCourse.status === "NotStarted" ? done : [...done, mainId];
  const lanes = isDrawableGraph(graph) ? graph.lanes : 0;
  return (
    <ol className={styles["picture"]}>
      {graph.rows.map((row) => {
        const task = byId.get(row.task_id);
        return task === undefined ? null : (
          <WorkflowTaskRow key={row.task_id} task={task} row={row} lanes={lanes} done={reached} picture={picture} />
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
  picture,
}: {
  readonly task: DrawnTask;
  readonly row: GraphRow;
  /** 0 if no lines are drawn. */
  readonly lanes: number;
  readonly done: readonly string[];
  readonly picture: DrawnWorkflow;
}) {
  const say = useWords(WORDS);
  const { task_id, name, course } = task;
  const isMain = task_id === picture.mainId;
  const listeners = listTaskListeners(picture.listeners, task_id);
  return (
    <LaneRow row={row} lanes={lanes} done={done} status={toTaskStatus(course?.status ?? "NotStarted")}>
      <div className={styles["told"]}>
        <div className={styles["head"]}>
          <h3>{name}</h3>
          <code className={styles["id"]}>{task_id}</code>
          {isMain ? <Badge tone="info">{say("mainTask")}</Badge> : null}
          {course === undefined ? null : (
            <Badge tone={TASK_TONES[course.status]}>{say(getStatusKey(course.status))}</Badge>
          )}
        </div>
        <WorkflowTaskDetails task={task} />
        {isMain ? <p className={styles["quiet"]}>{say("begins")}</p> : null}
        {listeners.length === 0 && !isMain ? <p className={styles["quiet"]}>{say("nothingChanges")}</p> : null}
        {listeners.map((listener) => (
          <ListenerCard key={listener.listener_id} listener={listener} tasks={picture.tasks} />
        ))}
      </div>
    </LaneRow>
  );
}

// The diagram of a workflow: its tasks in the order of their dependencies, each with the listeners that change it.

import { useMemo } from "react";
import type { TaskStatus } from "../../protocol/plan.ts";
import { CANONICAL } from "../../protocol/plan-template.ts";
import { useWords } from "../language.ts";
import { LaneRow } from "../plan/lane-row.tsx";
import { isDrawable, type Row } from "../plan/layers.ts";
import { Badge, type Tone } from "../ui/badge.tsx";
import { changing, layoutOf, linkedOf } from "./links.ts";
import { ListenerCard } from "./listener-card.tsx";
import type { DrawnTask, Picture, TaskStanding } from "./drawn.ts";
import styles from "./picture.module.css";
import { TaskFacts } from "./task-facts.tsx";
import { WORDS } from "./words.ts";

export function PlanPicture({ picture }: { readonly picture: Picture }) {
  const { tasks, listeners, mainId } = picture;
  const graph = useMemo(() => layoutOf(linkedOf(tasks, listeners, mainId), mainId), [tasks, listeners, mainId]);
  const byId = useMemo(() => new Map(tasks.map((task) => [task.task_id, task])), [tasks]);
  const done = tasks.filter(({ course }) => course?.status === "Done").map(({ task_id }) => task_id);
  // The main task triggers its successors when it starts, not when it is done, so its lines are active then.
  const begun = byId.get(mainId)?.course;
  const through = begun === undefined || begun.status === "NotStarted" ? done : [...done, mainId];
  const lanes = isDrawable(graph) ? graph.lanes : 0;
  return (
    <ol className={styles["picture"]}>
      {graph.rows.map((row) => {
        const task = byId.get(row.task_id);
        return task === undefined ? null : (
          <TaskRow key={row.task_id} task={task} row={row} lanes={lanes} done={through} picture={picture} />
        );
      })}
    </ol>
  );
}

const TONES = {
  NotStarted: "plain",
  Running: "info",
  Retrying: "warn",
  Pending: "warn",
  Done: "good",
  Error: "bad",
  Stopped: "plain",
} as const satisfies Record<TaskStanding, Tone>;

const pictureOf = (status: TaskStanding): TaskStatus => (status === "Stopped" ? "cancelled" : CANONICAL[status]);

const wordOf = (status: TaskStanding) => (status === "Stopped" ? "status_cancelled" : status);

function TaskRow({
  task,
  row,
  lanes,
  done,
  picture,
}: {
  readonly task: DrawnTask;
  readonly row: Row;
  /** 0 if no lines are drawn. */
  readonly lanes: number;
  readonly done: readonly string[];
  readonly picture: Picture;
}) {
  const say = useWords(WORDS);
  const { task_id, name, course } = task;
  const isMain = task_id === picture.mainId;
  const listeners = changing(picture.listeners, task_id);
  return (
    <LaneRow row={row} lanes={lanes} done={done} status={pictureOf(course?.status ?? "NotStarted")}>
      <div className={styles["told"]}>
        <div className={styles["head"]}>
          <h3>{name}</h3>
          <code className={styles["id"]}>{task_id}</code>
          {isMain ? <Badge tone="info">{say("mainTask")}</Badge> : null}
          {course === undefined ? null : <Badge tone={TONES[course.status]}>{say(wordOf(course.status))}</Badge>}
        </div>
        <TaskFacts task={task} />
        {isMain ? <p className={styles["quiet"]}>{say("begins")}</p> : null}
        {listeners.length === 0 && !isMain ? <p className={styles["quiet"]}>{say("nothingChanges")}</p> : null}
        {listeners.map((listener) => (
          <ListenerCard key={listener.listener_id} listener={listener} tasks={picture.tasks} />
        ))}
      </div>
    </LaneRow>
  );
}

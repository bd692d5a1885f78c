import { CircleStop } from "lucide-react";
import { memo, useId } from "react";
import type { Item } from "../../protocol/items.ts";
import { isFinished, type Task } from "../../protocol/plan.ts";
import { useAgentNames } from "../chat/names.ts";
import { useWords } from "../language.ts";
import { IconButton } from "../ui/button.tsx";
import type { Course } from "./courses.ts";
import { isLive, previewOf } from "./facts.ts";
import { setFold, useFold } from "./folds.ts";
import { LaneRow } from "./lane-row.tsx";
import type { Row } from "./layers.ts";
import { isSameHead, Recurrence, TaskHead } from "./task-head.tsx";
import styles from "./task-row.module.css";
import { TaskStream } from "./task-stream.tsx";
import { WORDS } from "./words.ts";

type TaskRowProps = {
  readonly task: Task;
  readonly row: Row;
  /** The number of lanes of the plan; 0 if no lines are drawn. */
  readonly lanes: number;
  /** The ids of the completed tasks, separated by spaces: a string is compared by value. */
  readonly done: string;
  readonly inputs: readonly string[];
  readonly items: readonly Item[];
  readonly course: Course;
  readonly tokens: number | null;
  readonly onStop: (task: Task) => void;
};

/** A task with its stream, which can be folded. Active tasks are open unless the person has folded them. */
export const TaskRow = memo(function TaskRow({ row, lanes, done, items, onStop, ...head }: TaskRowProps) {
  const { task } = head;
  const say = useWords(WORDS);
  const id = useId();
  const canOpen = items.length > 0 || isLive(task.status);
  const isOpen = (useFold(task.task_id) ?? isLive(task.status)) && canOpen;
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
            <TaskHead {...head} isOpen={isOpen} />
          </button>
        ) : (
          <div className={styles["toggle"]}>
            <TaskHead {...head} isOpen={null} />
          </div>
        )}
        {isLive(task.status) ? (
          <IconButton label={say("stopTask", titles)} onClick={() => onStop(task)}>
            <CircleStop size={18} aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <Recurrence task={task} />
      {isFinished(task.status) && task.error !== undefined ? (
        <p className={task.status === "failed" ? styles["error"] : styles["reason"]}>{task.error}</p>
      ) : null}
      {isOpen ? (
        <TaskStream id={id} items={items} status={task.status} label={say("stream", titles)} />
      ) : (
        <Preview task={task} />
      )}
    </LaneRow>
  );
}, isSame);

/** Shows the first line of the result of a folded task. */
function Preview({ task: { status, result = "" } }: { readonly task: Task }) {
  if (status !== "completed") return null;
  const text = previewOf(result);
  return text === "" ? null : <p className={styles["preview"]}>{text}</p>;
}

function isSame(before: TaskRowProps, now: TaskRowProps): boolean {
  return (
    before.items === now.items && before.lanes === now.lanes && before.done === now.done && isSameHead(before, now)
  );
}

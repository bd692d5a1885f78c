// The header of a task: title, agent, status and inputs.

import { ChevronRight, CornerDownRight } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import type { Task, TaskStatus } from "../../protocol/plans/task-plan.ts";
import { useAgentNames } from "../chat/use-agent-names.ts";
import { useLanguage, useWords } from "../language.ts";
import { formatRecurrence } from "../schedules/format-recurrence.ts";
import { Avatar } from "../ui/avatar.tsx";
import { hasSameHeaderState } from "./plan-facts.ts";
import { ElapsedTime } from "./elapsed-time.tsx";
import type { TaskTiming } from "./use-task-timings.ts";
import { getStatusClass } from "./task-status.tsx";
import { WORDS } from "./words.ts";
import styles from "./task-header.module.css";

export type TaskHeaderProps = {
  readonly task: Task;
  readonly course: TaskTiming;
  readonly tokens: number | null;
};

/** Shows status, duration, tokens and retries of a task. */
export function TaskStatusLine({ task, course, tokens }: TaskHeaderProps) {
  const say = useWords(WORDS);
  const isRunning = task.status === "running" || task.status === "retrying";
  return (
    <span className={styles["facts"]}>
      <TaskStatusLabel status={task.status} />
      <ElapsedTime span={course.span} isRunning={isRunning} />
      {tokens === null || tokens === 0 ? null : <span>{say("tokens", { n: tokens })}</span>}
      {course.retries === 0 ? null : <span>{say("attempts", { n: course.retries })}</span>}
    </span>
  );
}

function TaskStatusLabel({ status }: { readonly status: TaskStatus }) {
  const say = useWords(WORDS);
  return <span className={`${styles["status"]} ${getStatusClass(status)}`}>{say(status)}</span>;
}

/** `inputs`: the titles of the tasks whose results it receives. `isOpen`: null if it cannot be opened. */
export const TaskHeader = memo(function TaskHeader({
  inputs,
  isOpen,
  ...head
}: TaskHeaderProps & { readonly inputs: readonly string[]; readonly isOpen: boolean | null }) {
  const { task } = head;
  const name = useAgentNames()(task.agent_name);
  return (
    <>
      <span className={styles["title"]}>
        <span className={styles["words"]}>{task.title}</span>
        {isOpen === null ? null : (
          <ChevronRight className={`${styles["chevron"]} ${isOpen ? styles["open"] : ""}`} size={16} aria-hidden />
        )}
      </span>
      <span className={styles["line"]}>
        <span className={styles["agent"]}>
          <Avatar name={task.agent_name} label={name} size="small" />
          {name}
        </span>
        <TaskStatusLine {...head} />
      </span>
      {inputs.length === 0 || task.status === "cancelled" ? null : <TaskInputs titles={inputs} status={task.status} />}
    </>
  );
}, hasSameFoldableHeader);

/** Compares only the parts that the header shows; a task changes with every token of its result. */
export function hasSameTaskHeader(before: TaskHeaderProps, now: TaskHeaderProps): boolean {
  return (
    hasSameHeaderState(before.task, now.task) &&
    before.tokens === now.tokens &&
    before.course.retries === now.course.retries &&
    before.course.span.from === now.course.span.from &&
    before.course.span.to === now.course.span.to
  );
}

type FoldableTaskHeaderProps = TaskHeaderProps & { readonly isOpen: boolean | null };

function hasSameFoldableHeader(before: FoldableTaskHeaderProps, now: FoldableTaskHeaderProps): boolean {
  return before.isOpen === now.isOpen && hasSameTaskHeader(before, now);
}

function TaskInputs({ titles, status }: { readonly titles: readonly string[]; readonly status: TaskStatus }) {
  const say = useWords(WORDS);
  const list = new Intl.ListFormat(useLanguage(), { type: "conjunction" });
  const named = list.format(titles.map((title) => `“${title}”`));
  return (
    <span className={styles["inputs"]}>
      <CornerDownRight size={14} aria-hidden />
      <span>{say(status === "pending" ? "waitsFor" : "uses", { titles: named })}</span>
    </span>
  );
}

/** Shows the recurrence of a recurring task, with a link to its schedule. */
export function TaskRecurrence({ task }: { readonly task: Task }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  if (task.pattern !== "recurring" || task.schedule_config === undefined) return null;
  return (
    <p className={styles["recurrence"]}>
      <span>{formatRecurrence(task.schedule_config, language)}</span>
      <Link href={`/schedules/${encodeURIComponent(task.task_id)}`}>{say("schedule")}</Link>
    </p>
  );
}

// The header of a task: title, agent, status and inputs.

import { ChevronRight, CornerDownRight } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import type { Task, TaskStatus } from "../../../../protocol/plans/task-plan.ts";
import { useAgentNames } from "../../agents/use-agents.ts";
import { useLanguage, useMessages } from "../../../session/language.ts";
import { formatRecurrence } from "../../../ui/format/format-recurrence.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { hasSameHeaderState } from "./plan-facts.ts";
import { ElapsedTime } from "../../../ui/format/elapsed-time.tsx";
import type { TaskTiming } from "./use-task-timings.ts";
import { getStatusClass } from "./lane-row.tsx";
import styles from "./task-header.module.css";

type TaskHeaderProps = {
  readonly task: Task;
  readonly timing: TaskTiming;
  /** Input and output tokens; null while they are unknown. */
  readonly tokens: number | null;
};

/** Shows status, duration, tokens and retries of a task. */
export function TaskStatusLine({ task, timing, tokens }: TaskHeaderProps) {
  const t = useMessages("taskPlan");
  const isRunning = task.status === "running" || task.status === "retrying";
  return (
    <span className={styles["facts"]}>
      <TaskStatusLabel status={task.status} />
      <ElapsedTime span={timing.span} isRunning={isRunning} />
      {tokens === null || tokens === 0 ? null : <span>{t("tokens", { n: tokens })}</span>}
      {timing.retries === 0 ? null : <span>{t("attempts", { n: timing.retries })}</span>}
    </span>
  );
}

function TaskStatusLabel({ status }: { readonly status: TaskStatus }) {
  const t = useMessages("taskPlan");
  return <span className={`${styles["status"]} ${getStatusClass(status)}`}>{t(status)}</span>;
}

/**
 * `inputs`: the titles of the tasks whose results it receives. `isOpen`: if its stream is open; null if it cannot be
 * opened. Memoized, see `hasSameTaskHeader`.
 */
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

/** Returns true if a header shows the same for both; the result, which grows with every token, is ignored. */
export function hasSameTaskHeader(before: TaskHeaderProps, now: TaskHeaderProps): boolean {
  return (
    hasSameHeaderState(before.task, now.task) &&
    before.tokens === now.tokens &&
    before.timing.retries === now.timing.retries &&
    before.timing.span.from === now.timing.span.from &&
    before.timing.span.to === now.timing.span.to
  );
}

type FoldableTaskHeaderProps = TaskHeaderProps & { readonly isOpen: boolean | null };

function hasSameFoldableHeader(before: FoldableTaskHeaderProps, now: FoldableTaskHeaderProps): boolean {
  return before.isOpen === now.isOpen && hasSameTaskHeader(before, now);
}

function TaskInputs({ titles, status }: { readonly titles: readonly string[]; readonly status: TaskStatus }) {
  const t = useMessages("taskPlan");
  const list = new Intl.ListFormat(useLanguage(), { type: "conjunction" });
  const named = list.format(titles.map((title) => `“${title}”`));
  return (
    <span className={styles["inputs"]}>
      <CornerDownRight size={14} aria-hidden />
      <span>{t(status === "pending" ? "waitsFor" : "uses", { titles: named })}</span>
    </span>
  );
}

/** Shows the recurrence of a recurring task, with a link to its schedule; nothing for other tasks. */
export function TaskRecurrence({ task }: { readonly task: Task }) {
  const t = useMessages("taskPlan");
  const language = useLanguage();
  if (task.pattern !== "recurring" || task.schedule_config === undefined) return null;
  return (
    <p className={styles["recurrence"]}>
      <span>{formatRecurrence(task.schedule_config, language)}</span>
      <Link href={`/schedules/${encodeURIComponent(task.task_id)}`}>{t("schedule")}</Link>
    </p>
  );
}

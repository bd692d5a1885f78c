// The header of a task: title, agent, status and inputs.

import { ChevronRight, CornerDownRight } from "lucide-react";
import { memo } from "react";
import { Link } from "wouter";
import type { Task, TaskStatus } from "../../protocol/plan.ts";
import { useAgentNames } from "../chat/names.ts";
import { useLanguage, useWords } from "../language.ts";
import { rhythmOf } from "../schedules/rhythm.ts";
import { Avatar } from "../ui/avatar.tsx";
import { isSameAtAGlance } from "./facts.ts";
import { Elapsed } from "./elapsed.tsx";
import type { Course } from "./courses.ts";
import { toneOf } from "./status.tsx";
import { WORDS } from "./words.ts";
import styles from "./task-head.module.css";

export type Head = {
  readonly task: Task;
  readonly course: Course;
  readonly tokens: number | null;
};

/** Shows status, duration, tokens and retries of a task. */
export function TaskFacts({ task, course, tokens }: Head) {
  const say = useWords(WORDS);
  const isRunning = task.status === "running" || task.status === "retrying";
  return (
    <span className={styles["facts"]}>
      <StatusWord status={task.status} />
      <Elapsed span={course.span} isRunning={isRunning} />
      {tokens === null || tokens === 0 ? null : <span>{say("tokens", { n: tokens })}</span>}
      {course.retries === 0 ? null : <span>{say("attempts", { n: course.retries })}</span>}
    </span>
  );
}

function StatusWord({ status }: { readonly status: TaskStatus }) {
  const say = useWords(WORDS);
  return <span className={`${styles["status"]} ${toneOf(status)}`}>{say(status)}</span>;
}

/** `inputs`: the titles of the tasks whose results it receives. `isOpen`: null if it cannot be opened. */
export const TaskHead = memo(function TaskHead({
  inputs,
  isOpen,
  ...head
}: Head & { readonly inputs: readonly string[]; readonly isOpen: boolean | null }) {
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
        <TaskFacts {...head} />
      </span>
      {inputs.length === 0 || task.status === "cancelled" ? null : <Inputs titles={inputs} status={task.status} />}
    </>
  );
}, isSameOpenHead);

/** Compares only the parts that the header shows; a task changes with every token of its result. */
export function isSameHead(before: Head, now: Head): boolean {
  return (
    isSameAtAGlance(before.task, now.task) &&
    before.tokens === now.tokens &&
    before.course.retries === now.course.retries &&
    before.course.span.from === now.course.span.from &&
    before.course.span.to === now.course.span.to
  );
}

type OpenHead = Head & { readonly isOpen: boolean | null };

function isSameOpenHead(before: OpenHead, now: OpenHead): boolean {
  return before.isOpen === now.isOpen && isSameHead(before, now);
}

function Inputs({ titles, status }: { readonly titles: readonly string[]; readonly status: TaskStatus }) {
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
export function Recurrence({ task }: { readonly task: Task }) {
  const say = useWords(WORDS);
  const language = useLanguage();
  if (task.pattern !== "recurring" || task.schedule_config === undefined) return null;
  return (
    <p className={styles["recurrence"]}>
      <span>{rhythmOf(task.schedule_config, language)}</span>
      <Link href={`/schedules/${encodeURIComponent(task.task_id)}`}>{say("schedule")}</Link>
    </p>
  );
}

// What can be told of a plan and its tasks at a glance.

import type { Usage } from "../../protocol/events.ts";
import { isFinished, type Plan, type Task, type TaskStatus } from "../../protocol/plan.ts";

/** Something goes on in it that a person may want to watch or has to answer. */
export function isLive(status: TaskStatus): boolean {
  return status === "running" || status === "retrying" || status === "waiting_input";
}

/** Whether two states of a task look the same, but for what it says: that changes with every word. */
export function isSameAtAGlance(before: Task, now: Task): boolean {
  if (before === now) return true;
  return before.task_id === now.task_id && before.status === now.status && !isFinished(now.status);
}

/** Who takes part, in the order in which they are first named. */
export function agentsOf({ tasks }: Pick<Plan, "tasks">): string[] {
  return [...new Set(tasks.map(({ agent_name }) => agent_name))];
}

export type Progress = {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly waiting: number;
  readonly isOver: boolean;
};

export function progressOf(tasks: readonly Pick<Task, "status">[]): Progress {
  const count = (...wanted: readonly TaskStatus[]) => tasks.filter(({ status }) => wanted.includes(status)).length;
  return {
    total: tasks.length,
    done: count("completed", "scheduled"),
    failed: count("failed", "cancelled"),
    waiting: count("waiting_input"),
    isOver: tasks.every(({ status }) => isFinished(status) || status === "scheduled"),
  };
}

/** What the models read and wrote for one task; null as long as nobody has said. */
export function tokensOf(usage: Usage | undefined, taskId: string): number | null {
  const calls = usage?.calls?.filter((call) => call.task_id === taskId) ?? [];
  if (calls.length === 0) return null;
  return calls.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0);
}

/** The titles of the tasks whose results this one is given. */
export function inputsOf(task: Pick<Task, "depends_on">, tasks: readonly Pick<Task, "task_id" | "title">[]): string[] {
  return task.depends_on.flatMap((id) => tasks.find(({ task_id }) => task_id === id)?.title ?? []);
}

const MOST = 160;
/** What begins or ends something written in bold, in italics or as code; within a word it is part of the word. */
const MARKS = /(?<![\p{L}\p{N}])[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}(?![\p{L}\p{N}])/gu;

/** The beginning of a result on one line, without headings and the marks of Markdown. */
export function previewOf(result: string): string {
  const lines = result
    .split("\n")
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
    .map((line) => line.trim());
  const line = lines.find((each) => !each.startsWith("#")) ?? lines[0] ?? "";
  const text = line.replace(/^(#{1,6}|[-*+>]|\d+[.)])\s+/, "").replace(MARKS, "");
  return text.length > MOST ? `${text.slice(0, MOST).trimEnd()} …` : text;
}

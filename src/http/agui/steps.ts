// Which steps of a run go on: the triage, the planning, and each task by its title.

import type { Triage } from "../../protocol/events.ts";
import { isOver, type ThreadState } from "../../protocol/thread-state.ts";

/** The names of the steps that go on. No two of them are the same: clients know steps by nothing else. */
export function stepsOf(state: ThreadState, triage: Triage | undefined, isNamed: boolean): string[] {
  const { status, plans } = state;
  if (status === "submitted" || isOver(status)) return [];
  const isTriaged = triage !== undefined || isNamed;
  if (!isTriaged) return ["triage"];
  if (plans.length === 0) return triage?.decision === "answer" ? [] : ["plan"];
  const tasks = plans.flatMap((plan) => plan.tasks);
  const names = namesOf(tasks.map(({ title }) => title));
  return tasks.flatMap((task, i) => (isAtWork(task.status) ? [names[i] ?? task.title] : []));
}

function isAtWork(status: string): boolean {
  return status === "running" || status === "retrying" || status === "waiting_input";
}

function namesOf(titles: readonly string[]): string[] {
  const taken = new Set(["triage", "plan"]);
  return titles.map((title) => {
    let name = title;
    for (let i = 2; taken.has(name); i++) name = `${title} (${i})`;
    taken.add(name);
    return name;
  });
}

// The running steps of a run: triage, planning, and the tasks by title.

import type { TriageResult } from "../../protocol/wire/events.ts";
import { isFinalThreadStatus, type ThreadState } from "../../protocol/wire/thread-state.ts";

/**
 * Returns the names of the running steps: `triage`, `plan`, or the titles of the running tasks; none before the start
 * and after the end of the thread. They are unique, because clients identify steps by name. `isNamed` is true if the
 * user has named an agent, so there is no triage.
 */
export function listRunningSteps(state: ThreadState, triage: TriageResult | undefined, isNamed: boolean): string[] {
  const { status, plans } = state;
  if (status === "submitted" || isFinalThreadStatus(status)) return [];
  const isTriaged = triage !== undefined || isNamed;
  if (!isTriaged) return ["triage"];
  if (plans.length === 0) return triage?.decision === "answer" ? [] : ["plan"];
  const tasks = plans.flatMap((plan) => plan.tasks);
  const names = createUniqueNames(tasks.map(({ title }) => title));
  return tasks.flatMap((task, i) => (isRunningTask(task.status) ? [names[i] ?? task.title] : []));
}

function isRunningTask(status: string): boolean {
  return status === "running" || status === "retrying" || status === "waiting_input";
}

/** Makes titles unique by a number in parentheses. */
function createUniqueNames(titles: readonly string[]): string[] {
  const taken = new Set(["triage", "plan"]);
  return titles.map((title) => {
    let name = title;
    for (let i = 2; taken.has(name); i++) name = `${title} (${i})`;
    taken.add(name);
    return name;
  });
}

// Which task of a plan leads to which: by the listeners between them.

import type { Listener, PlanTask } from "../../protocol/plan-template.ts";
import type { Linked } from "../plan/layers.ts";

/** What template and instance have in common of a listener. */
export type Link = Pick<Listener, "listener_id" | "trigger_task_id"> & { readonly target: string };

/** The tasks whose changes a listener looks at. */
export function triggersOf({ trigger_task_id: text }: Pick<Listener, "trigger_task_id">): string[] {
  return [...new Set(text.split(/[\s,;，；、]+/).filter((id) => id !== ""))];
}

/**
 * Each task with those that lead to it. Nothing leads to the main task here: with it the plan begins, and what ends in it
 * ends the plan.
 */
export function linkedOf(
  tasks: readonly Pick<PlanTask, "task_id">[],
  links: readonly Link[],
  mainId: string,
): Linked[] {
  return tasks.map(({ task_id }) => {
    const leading = task_id === mainId ? [] : links.filter(({ target }) => target === task_id).flatMap(triggersOf);
    return { task_id, depends_on: [...new Set(leading)].filter((id) => id !== task_id) };
  });
}

/** The listeners that change a task, in their order. */
export function changing<L extends Link>(links: readonly L[], taskId: string): L[] {
  return links.filter(({ target }) => target === taskId);
}

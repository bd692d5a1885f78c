// Which task of a plan leads to which: by the listeners between them.

import type { Listener, PlanTask } from "../../protocol/plan-template.ts";
import { graphOf, type Graph, type Linked } from "../plan/layers.ts";

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

/** How a plan is drawn: tasks that nothing leads to, and that lead nowhere, stand below all others. */
export function layoutOf(linked: readonly Linked[], mainId: string): Graph {
  const used = new Set(linked.flatMap(({ depends_on }) => depends_on));
  const isLinked = ({ task_id, depends_on }: Linked): boolean =>
    task_id === mainId || depends_on.length > 0 || used.has(task_id);
  const { rows, lanes } = graphOf(linked.filter(isLinked));
  const alone = linked.filter((task) => !isLinked(task));
  return {
    rows: [
      ...rows,
      ...alone.map(({ task_id }) => ({ task_id, layer: 0, lane: 0, incoming: [], passing: [], isUsed: false })),
    ],
    lanes,
  };
}

// The dependencies between the tasks of a workflow, derived from its listeners.

import type { Listener, WorkflowTask } from "../../../../protocol/workflows/workflow-template.ts";
import { buildTaskGraph, type TaskGraph, type GraphTask } from "../../conversations/task-plan/task-graph.ts";

/** The fields of a listener that template and instance share. `target`: the id of the task that it changes. */
export type ListenerLink = Pick<Listener, "listener_id" | "trigger_task_id"> & { readonly target: string };

/** Returns the ids of the tasks that trigger the listener, from a list with commas or spaces, without duplicates. */
export function listTriggers({ trigger_task_id: text }: Pick<Listener, "trigger_task_id">): string[] {
  return [...new Set(text.split(/[\s,;，；、]+/).filter((id) => id !== ""))];
}

/**
 * Returns each task with the tasks that trigger its listeners as dependencies. The main task has none: it starts first,
 * and a listener that changes it ends the workflow.
 */
export function buildGraphTasks(
  tasks: readonly Pick<WorkflowTask, "task_id">[],
  links: readonly ListenerLink[],
  mainId: string,
): GraphTask[] {
  return tasks.map(({ task_id }) => {
    const leading = task_id === mainId ? [] : links.filter(({ target }) => target === task_id).flatMap(listTriggers);
    return { task_id, depends_on: [...new Set(leading)].filter((id) => id !== task_id) };
  });
}

/** Returns the listeners that change a task, in order. */
export function listTaskListeners<L extends ListenerLink>(links: readonly L[], taskId: string): L[] {
  return links.filter(({ target }) => target === taskId);
}

/** Lays out the graph of `buildGraphTasks`. Tasks without any link, except the main task, are below all others. */
export function layoutWorkflow(linked: readonly GraphTask[], mainId: string): TaskGraph {
  const used = new Set(linked.flatMap(({ depends_on }) => depends_on));
  const isLinked = ({ task_id, depends_on }: GraphTask): boolean =>
    task_id === mainId || depends_on.length > 0 || used.has(task_id);
  const { rows, lanes } = buildTaskGraph(linked.filter(isLinked));
  const unlinked = linked.filter((task) => !isLinked(task));
  return {
    rows: [
      ...rows,
      ...unlinked.map(({ task_id }) => ({ task_id, layer: 0, lane: 0, incoming: [], passing: [], isUsed: false })),
    ],
    lanes,
  };
}

// The component that shows the progress of the sub-tasks.

import { shortened } from "../../protocol/shortened.ts";
import type { Said } from "../kit/agent.ts";
import type { Subtask } from "./contract.ts";
import type { Done } from "./state.ts";

/**
 * Maximum characters of a result in the component, which is sent again for every sub-task. The full result is in the
 * `execute` step and in the answer.
 */
const MOST_CHARS = 500;

/** Creates the component `toolsmith_progress` (F102). It replaces the one before. */
export function progress(taskId: string, tasks: readonly Subtask[], done: readonly Done[]): Said {
  const subtasks = tasks.map(({ id, description, category }, i) => {
    const end = done[i];
    if (end === undefined) return { id, description, category, status: i === done.length ? "running" : "pending" };
    return end.status === "completed"
      ? { id, description, category, status: end.status, result: shortened(end.result, MOST_CHARS), tool: end.tool }
      : { id, description, category, status: end.status, error: end.error };
  });
  const content = { current: Math.min(done.length + 1, tasks.length), total: tasks.length, subtasks };
  return {
    type: "component",
    component_type: "toolsmith_progress",
    content: JSON.stringify(content),
    component_id: `${taskId}/progress`,
  };
}

import { shortened } from "../../protocol/shortened.ts";
import type { Said } from "../kit/agent.ts";
import type { Subtask } from "./contract.ts";
import type { Done } from "./state.ts";

/** Of one result here, which is sent again with every sub-task. In full it stands in the `execute` step and in the answer. */
const MOST_CHARS = 500;

/** F102. How far the sub-tasks are, as one component that is replaced. */
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

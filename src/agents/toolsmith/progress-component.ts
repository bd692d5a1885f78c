// The component that shows the progress of the sub-tasks.

import { truncateWithEllipsis } from "../../lib/truncate.ts";
import type { AgentRunEvent } from "../kit/agent.ts";
import type { Subtask } from "./offered-tools.ts";
import type { SubtaskOutcome } from "./toolsmith-state.ts";

/**
 * Maximum characters of a result in the component, which is sent again for every sub-task. The full result is in the
 * `execute` step and in the answer.
 */
const MAX_SHOWN_CHARS = 500;

/**
 * Creates the component `toolsmith_progress` of a task (F102), which replaces its earlier versions. `outcomes` belong
 * to the first sub-tasks; the next sub-task is shown as running.
 */
export function createProgressComponent(
  taskId: string,
  tasks: readonly Subtask[],
  outcomes: readonly SubtaskOutcome[],
): AgentRunEvent {
  const subtasks = tasks.map(({ id, description, category }, i) => {
    const outcome = outcomes[i];
    if (outcome === undefined)
      return { id, description, category, status: i === outcomes.length ? "running" : "pending" };
    return outcome.status === "completed"
      ? {
          id,
          description,
          category,
          status: outcome.status,
          result: truncateWithEllipsis(outcome.result, MAX_SHOWN_CHARS),
          tool: outcome.tool,
        }
      : { id, description, category, status: outcome.status, error: outcome.error };
  });
  const content = { current: Math.min(outcomes.length + 1, tasks.length), total: tasks.length, subtasks };
  return {
    type: "component",
    component_type: "toolsmith_progress",
    content: JSON.stringify(content),
    component_id: `${taskId}/progress`,
  };
}

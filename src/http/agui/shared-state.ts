// The shared state of AG-UI: the status of a thread under the key `orrery`. Other keys belong to the client.

import type { TriageResult } from "../../protocol/wire/events.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import type { ThreadState } from "../../protocol/wire/thread-state.ts";
import { truncate } from "../../lib/truncate.ts";

/** The maximum length of a task's error, in UTF-16 units. */
const MAX_ERROR_CHARS = 500;

/** Returns the value of `orrery`. It contains no output of agents, so its size depends on the plan only. */
export function buildSharedState(
  threadId: string,
  state: ThreadState,
  triage: TriageResult | undefined,
  retried: number,
) {
  const { status, plans, pending, usage } = state;
  return {
    thread_id: threadId,
    status,
    ...(triage === undefined
      ? {}
      : {
          triage: {
            decision: triage.decision,
            strategy: triage.strategy,
            selected_agents: triage.selected_agents,
          },
        }),
    plans: plans.map(({ plan_id, tasks }) => ({ plan_id, tasks: tasks.map(toSharedTask) })),
    pending,
    /** The number of retries in this thread. */
    retried,
    ...(usage === undefined
      ? {}
      : {
          usage: {
            model_calls: usage.model_calls,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            tasks: usage.tasks,
            duration_ms: usage.duration_ms,
          },
        }),
  };
}
export type SharedState = ReturnType<typeof buildSharedState>;

/** Returns a task without its query and result. */
function toSharedTask({ task_id, title, agent_name, depends_on, status, error }: Task) {
  return {
    task_id,
    title,
    agent_name,
    depends_on,
    status,
    ...(error === undefined ? {} : { error: truncate(error, MAX_ERROR_CHARS) }),
  };
}

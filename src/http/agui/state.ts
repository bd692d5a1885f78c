// How a thread stands, as the state that AG-UI clients share with their agent. It has one key of that state, `orrery`;
// whatever else a client keeps there stays as it is.

import type { Triage } from "../../protocol/events.ts";
import type { Task } from "../../protocol/plan.ts";
import type { ThreadState } from "../../protocol/thread-state.ts";
import { cut } from "../../protocol/shortened.ts";

/** The longest reason that a task's failure is shown with, in UTF-16 units. */
const MOST_ERROR = 500;

/** The value of `orrery`: no texts of answers, which are messages, and nothing that grows with them. */
export function stateOf(threadId: string, state: ThreadState, triage: Triage | undefined, retried: number) {
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
    plans: plans.map(({ plan_id, tasks }) => ({ plan_id, tasks: tasks.map(taskOf) })),
    pending,
    /** How often work of it began anew. */
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
export type State = ReturnType<typeof stateOf>;

function taskOf({ task_id, title, agent_name, depends_on, status, error }: Task) {
  return {
    task_id,
    title,
    agent_name,
    depends_on,
    status,
    ...(error === undefined ? {} : { error: cut(error, MOST_ERROR) }),
  };
}

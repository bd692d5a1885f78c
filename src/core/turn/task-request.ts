// The request that an agent receives for a task.

import type { AgentMetadata, AgentRequest } from "../../protocol/agents/agent.ts";
import type { Plan, Task } from "../../protocol/plans/task-plan.ts";
import { buildProvenance } from "./provenance.ts";
import type { TurnContext } from "./turn-context.ts";
import type { TaskOutcome, WaitingTask } from "./task-outcome.ts";

/** Optional parts of an agent request. */
export type TaskRequestOptions = {
  /** Counts from 1. Each attempt is a separate step and a separate message to the agent. */
  readonly attempt?: number;
  /** Metadata that extends or overrides the standard metadata. */
  readonly metadata?: Pick<AgentMetadata, "scope" | "current_context" | "provenance" | "criterion">;
};

/**
 * Builds the request of a task segment, without `reply` and `checkpoint`, which the caller adds. The message id depends
 * only on task, attempt and segment, so that an agent recognises the repetition of an interrupted segment. `outcomes`
 * supplies the results of the completed dependencies.
 */
export function buildTaskRequest(
  turn: TurnContext,
  plan: Plan,
  task: Task,
  outcomes: ReadonlyMap<string, TaskOutcome>,
  resumeFrom: WaitingTask | null,
  { attempt = 1, metadata = {} }: TaskRequestOptions,
): AgentRequest {
  const message = attempt === 1 ? task.task_id : `${task.task_id}#${attempt}`;
  const standard = buildRequestMetadata(turn, plan, task, outcomes);
  return {
    message_id: resumeFrom === null ? message : `${message}-${resumeFrom.legs + 1}`,
    task_id: task.task_id,
    conversation_id: task.conversation_id,
    query: task.query,
    metadata: {
      ...standard,
      ...metadata,
      current_context: { ...standard.current_context, ...metadata.current_context },
    },
  };
}

/** Builds the context that each task receives (F45, F88), with the results of its completed dependencies. */
function buildRequestMetadata(
  turn: TurnContext,
  plan: Plan,
  task: Task,
  outcomes: ReadonlyMap<string, TaskOutcome>,
): AgentMetadata {
  const { language, timezone, context = {} } = turn.request;
  const { user_profile: profile, ...current } = context;
  const dependencies = plan.tasks.flatMap(({ task_id, title, agent_name }) => {
    const outcome = outcomes.get(task_id);
    if (!task.depends_on.includes(task_id) || outcome?.status !== "completed") return [];
    return [{ task_id, title, agent_name, result: outcome.result }];
  });
  return {
    user_id: turn.userId,
    user_profile: typeof profile === "object" && profile !== null ? { ...profile } : {},
    current_context: current,
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(turn.tick === undefined ? {} : { schedule: turn.tick }),
    provenance: buildProvenance(turn, task.query),
    dependencies,
  };
}

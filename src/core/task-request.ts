// The request that an agent receives for a task.

import type { AgentMetadata, AgentRequest } from "../protocol/agent.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import type { Scene } from "./scene.ts";
import type { TaskEnd, Waiting } from "./task-end.ts";

/** Optional parts of an agent request. */
export type SpecialRequest = {
  /** Counts from 1. Each attempt is a separate step and a separate message to the agent. */
  readonly attempt?: number;
  /** Metadata that extends or overrides the standard metadata. */
  readonly metadata?: Pick<AgentMetadata, "scope" | "current_context">;
};

/**
 * Builds the request of a task segment. The message id depends only on task, attempt and segment, so that an agent
 * recognises the repetition of an interrupted segment. `outcomes` supplies the results of the dependencies.
 */
export function requestOf(
  scene: Scene,
  plan: Plan,
  task: Task,
  ends: ReadonlyMap<string, TaskEnd>,
  from: Waiting | null,
  { attempt = 1, metadata = {} }: SpecialRequest,
): AgentRequest {
  const message = attempt === 1 ? task.task_id : `${task.task_id}#${attempt}`;
  const usual = metadataOf(scene, plan, task, ends);
  return {
    message_id: from === null ? message : `${message}-${from.legs + 1}`,
    task_id: task.task_id,
    conversation_id: task.conversation_id,
    query: task.query,
    metadata: { ...usual, ...metadata, current_context: { ...usual.current_context, ...metadata.current_context } },
  };
}

/** Builds the context that each task receives (F45, F88), with the results of its completed dependencies. */
function metadataOf(scene: Scene, plan: Plan, task: Task, ends: ReadonlyMap<string, TaskEnd>): AgentMetadata {
  const { language, timezone, context = {} } = scene.request;
  const { user_profile: profile, ...current } = context;
  const dependencies = plan.tasks.flatMap(({ task_id, title, agent_name }) => {
    const end = ends.get(task_id);
    if (!task.depends_on.includes(task_id) || end?.status !== "completed") return [];
    return [{ task_id, title, agent_name, result: end.result }];
  });
  return {
    user_id: scene.userId,
    user_profile: typeof profile === "object" && profile !== null ? { ...profile } : {},
    current_context: current,
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(scene.tick === undefined ? {} : { schedule: scene.tick }),
    dependencies,
  };
}

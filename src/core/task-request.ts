// What an agent is asked to do for a task.

import type { AgentMetadata, AgentRequest } from "../protocol/agent.ts";
import type { Plan, Task } from "../protocol/plan.ts";
import type { Scene } from "./scene.ts";
import type { TaskEnd, Waiting } from "./task-end.ts";

/** What a request may have that most have not. */
export type SpecialRequest = {
  /** Counts from 1. A further attempt is another step, and another message to the agent. */
  readonly attempt?: number;
  /** What the agent is told besides. */
  readonly metadata?: Pick<AgentMetadata, "scope" | "current_context">;
};

/** The ids stay the same when an interrupted leg is repeated, so that an agent can tell. */
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

/** The context that every task is given (F45, F88), with the results of what it depends on. */
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

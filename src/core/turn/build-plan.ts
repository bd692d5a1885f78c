// Builds tasks and plans: the plan of a message, of a workflow instance, of a verification and of a schedule run.

import type { Plan, Task } from "../../protocol/plans/task-plan.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { TurnInput } from "./turn-context.ts";

type TaskFields = Pick<Task, "task_id" | "plan_id" | "title" | "query" | "agent_name" | "created_at">;

/** Builds a task of a thread. By default it is pending, runs once, alone, in a conversation of its own. */
export function buildTask({ threadId }: Pick<TurnInput, "threadId">, fields: TaskFields & Partial<Task>): Task {
  return {
    conversation_id: deriveId(fields.task_id, "conv"),
    thread_id: threadId,
    depends_on: [],
    pattern: "once",
    handoff_from_super_agent: false,
    metadata: {},
    status: "pending",
    ...fields,
  };
}

/** Builds the plan of a thread. By default its query is the message, without a reasoning. */
export function buildPlan(
  { conversationId, threadId, userId, request }: TurnInput,
  fields: Pick<Plan, "plan_id" | "created_at" | "tasks"> & Partial<Plan>,
): Plan {
  return {
    conversation_id: conversationId,
    thread_id: threadId,
    user_id: userId,
    orig_query: request.message,
    query: request.message,
    reasoning: "",
    ...fields,
  };
}

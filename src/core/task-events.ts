// The events of a task that its agent has no part in: where it begins, how it is reached, how it ends.

import { unreachable } from "../protocol/assert.ts";
import { companion } from "../protocol/ids.ts";
import type { Task } from "../protocol/plan.ts";
import { sumOf, type Spent } from "./budget.ts";
import type { Draft } from "./ports.ts";
import type { TaskEnd } from "./task-end.ts";
import { callCompleted, callStarted, type Call } from "./tool-events.ts";
import type { Place } from "./voice.ts";

export function placeOf(task: Task): Place {
  return { thread_id: task.thread_id, task_id: task.task_id, agent_name: task.agent_name };
}

/** Reaching the agent, shown as a tool call (F46). */
export function connecting(task: Task): Draft {
  return callStarted(placeOf(task), connection(task));
}

export function connected(task: Task, result: string): Draft {
  return callCompleted(placeOf(task), connection(task), result);
}

function connection({ task_id, agent_name }: Task): Call {
  const tool_arguments = JSON.stringify({ agent_name });
  return { tool_call_id: companion(task_id, "call"), tool_name: "connect_agent", tool_arguments };
}

/** The beginning of the task's own conversation, if it has one (F47). */
export function entering(task: Task): Draft[] {
  return task.handoff_from_super_agent ? [subagent(task, "start")] : [];
}

export function leaving(task: Task): Draft[] {
  return task.handoff_from_super_agent ? [subagent(task, "end")] : [];
}

/** Where the task's own conversation begins and ends: one component, replaced (F47). */
function subagent(task: Task, phase: "start" | "end"): Draft {
  const content = { conversation_id: task.conversation_id, agent_name: task.agent_name, phase };
  return {
    event: "component_generator",
    data: {
      ...placeOf(task),
      role: "agent",
      item_id: companion(task.task_id, "item"),
      payload: { component_type: "subagent_conversation", content: JSON.stringify(content) },
    },
  };
}

/** A further attempt begins: what the task has said so far is taken back. */
export function retrying(task: Task, content: string, attempt: number): Draft {
  return { event: "task_retrying", data: { ...placeOf(task), role: "agent", payload: { content, attempt } } };
}

/** The last event of a task, with what it has used. */
export function lastWord(task: Task, end: TaskEnd, spent: Spent): Draft {
  const usage = spent.length === 0 ? {} : { metadata: { usage: sumOf(spent) } };
  const data = { ...placeOf(task), role: "agent", ...usage } as const;
  switch (end.status) {
    case "completed":
    case "scheduled":
      return { event: "task_completed", data };
    case "failed":
      return { event: "task_failed", data: { ...data, payload: failureOf(end) } };
    case "cancelled":
      return { event: "task_cancelled", data: { ...data, payload: { content: end.error } } };
    default:
      return unreachable(end);
  }
}

function failureOf({ error, code }: Extract<TaskEnd, { status: "failed" }>): { content: string; code?: string } {
  return code === undefined ? { content: error } : { content: error, code };
}

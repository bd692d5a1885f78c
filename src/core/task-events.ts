// The events that the runtime itself publishes for a task: connecting, own conversation, retry, terminal event.

import { unreachable } from "../protocol/assert.ts";
import { companion } from "../protocol/ids.ts";
import type { Task } from "../protocol/plan.ts";
import { sumOf, type Spent } from "./budget.ts";
import type { Draft } from "./ports.ts";
import type { TaskEnd } from "./task-end.ts";
import { callCompleted, callStarted, type Call } from "./tool-events.ts";
import type { Place } from "./voice.ts";

/** Returns the event scope of a task. */
export function placeOf(task: Task): Place {
  return { thread_id: task.thread_id, task_id: task.task_id, agent_name: task.agent_name };
}

/** Creates the event that shows the connection to the agent as a running tool call (F46). */
export function connecting(task: Task): Draft {
  return callStarted(placeOf(task), connection(task));
}

/** Creates the event that completes that tool call; `result` is “connected” or begins with “ERROR”. */
export function connected(task: Task, result: string): Draft {
  return callCompleted(placeOf(task), connection(task), result);
}

/** Builds the tool call that stands for the connection to the agent. Its id derives from the task id. */
function connection({ task_id, agent_name }: Task): Call {
  const tool_arguments = JSON.stringify({ agent_name });
  return { tool_call_id: companion(task_id, "call"), tool_name: "connect_agent", tool_arguments };
}

/** Returns the event that marks the start of the task's own conversation; empty if it has none (F47). */
export function entering(task: Task): Draft[] {
  return task.handoff_from_super_agent ? [subagent(task, "start")] : [];
}

/** Returns the event that marks the end of the task's own conversation; empty if it has none (F47). */
export function leaving(task: Task): Draft[] {
  return task.handoff_from_super_agent ? [subagent(task, "end")] : [];
}

/** Creates the component of the task's own conversation. Both phases have one item id, so `end` replaces `start`. */
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

/** Creates `task_retrying`: a further attempt starts, and the task's output so far is retracted. */
export function retrying(task: Task, content: string, attempt: number): Draft {
  return { event: "task_retrying", data: { ...placeOf(task), role: "agent", payload: { content, attempt } } };
}

/** Creates the last event of a task, with its usage. A `scheduled` task is completed as far as its thread goes. */
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

/** Returns the payload of a failure; `code` only if there is one. */
function failureOf({ error, code }: Extract<TaskEnd, { status: "failed" }>): { content: string; code?: string } {
  return code === undefined ? { content: error } : { content: error, code };
}

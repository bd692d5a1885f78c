// The events that the runtime itself publishes for a task: connecting, own conversation, retry, terminal event.

import { assertNever } from "../../lib/assert.ts";
import { deriveId } from "../../protocol/wire/ids.ts";
import type { Task } from "../../protocol/plans/task-plan.ts";
import { sumUsage, type RecordedCalls } from "../models/budget.ts";
import type { EventDraft } from "../ports.ts";
import type { TaskOutcome } from "./task-outcome.ts";
import type { EventScope } from "../models/delta-writer.ts";
import { tryParseJson } from "../../lib/parse-json.ts";

/** Returns the event scope of a task. */
export function getTaskScope(task: Task): EventScope {
  return { thread_id: task.thread_id, task_id: task.task_id, agent_name: task.agent_name };
}

/** Creates the event that shows the connection to the agent as a running tool call (F46). */
export function createConnectingEvent(task: Task): EventDraft {
  return createToolCallStarted(getTaskScope(task), buildConnectionCall(task));
}

/** Creates the event that completes the connection's tool call; `result` is “connected” or begins with “ERROR”. */
export function createConnectedEvent(task: Task, result: string): EventDraft {
  return createToolCallCompleted(getTaskScope(task), buildConnectionCall(task), result);
}

/** Builds the tool call that stands for the connection to the agent. Its id derives from the task id. */
function buildConnectionCall({ task_id, agent_name }: Task): ToolCallPayload {
  const tool_arguments = JSON.stringify({ agent_name });
  return { tool_call_id: deriveId(task_id, "call"), tool_name: "connect_agent", tool_arguments };
}

/** Returns the event that marks the start of the task's own conversation; empty if it has none (F47). */
export function createSubagentStart(task: Task): EventDraft[] {
  return task.handoff_from_super_agent ? [createSubagentEvent(task, "start")] : [];
}

/** Returns the event that marks the end of the task's own conversation; empty if it has none (F47). */
export function createSubagentEnd(task: Task): EventDraft[] {
  return task.handoff_from_super_agent ? [createSubagentEvent(task, "end")] : [];
}

/** Creates the component of the task's own conversation. Both phases have one item id, so `end` replaces `start`. */
function createSubagentEvent(task: Task, phase: "start" | "end"): EventDraft {
  const content = { conversation_id: task.conversation_id, agent_name: task.agent_name, phase };
  return {
    event: "component_generator",
    data: {
      ...getTaskScope(task),
      role: "agent",
      item_id: deriveId(task.task_id, "item"),
      payload: { component_type: "subagent_conversation", content: JSON.stringify(content) },
    },
  };
}

/** Creates `task_retrying`: the coming `attempt` (at least 2) starts, and the task's output so far is retracted. */
export function createRetryEvent(task: Task, content: string, attempt: number): EventDraft {
  return { event: "task_retrying", data: { ...getTaskScope(task), role: "agent", payload: { content, attempt } } };
}

/**
 * Creates the last event of a task (`task_completed`, `task_failed` or `task_cancelled`), with the usage of `calls`, if
 * any. A `scheduled` task counts as completed in its thread.
 */
export function createTerminalEvent(task: Task, outcome: TaskOutcome, calls: RecordedCalls): EventDraft {
  const usage = calls.length === 0 ? {} : { metadata: { usage: sumUsage(calls) } };
  const data = { ...getTaskScope(task), role: "agent", ...usage } as const;
  switch (outcome.status) {
    case "completed":
    case "scheduled":
      return { event: "task_completed", data };
    case "failed":
      return { event: "task_failed", data: { ...data, payload: buildFailurePayload(outcome) } };
    case "cancelled":
      return { event: "task_cancelled", data: { ...data, payload: { content: outcome.error } } };
    default:
      return assertNever(outcome);
  }
}

/** Returns the payload of a failure; `code` only if there is one. */
function buildFailurePayload({ error, code }: Extract<TaskOutcome, { status: "failed" }>): {
  content: string;
  code?: string;
} {
  return code === undefined ? { content: error } : { content: error, code };
}

/** The payload of both events. `tool_call_id` must be unique within the conversation. */
export type ToolCallPayload = {
  readonly tool_call_id: string;
  readonly tool_name: string;
  readonly tool_arguments?: string;
};

/** Creates the event of a started tool call. */
export function createToolCallStarted(eventScope: EventScope, call: ToolCallPayload): EventDraft {
  return {
    event: "tool_call_started",
    data: { ...eventScope, role: "agent", item_id: call.tool_call_id, payload: call },
  };
}

/** Creates the event of a completed tool call. `result` is plain text, or already the JSON format of the wire. */
export function createToolCallCompleted(eventScope: EventScope, call: ToolCallPayload, result: string): EventDraft {
  const payload = { ...call, tool_result: toToolResult(result) };
  return { event: "tool_call_completed", data: { ...eventScope, role: "agent", item_id: call.tool_call_id, payload } };
}

/** Returns a result as a JSON array of objects with `content`. A text that already has this format stays unchanged. */
export function toToolResult(result: string): string {
  // Parsing prose throws an error, which costs more than creating the event; test the first character first.
  const json = /^\s*\[/.test(result) ? tryParseJson(result) : undefined;
  const isToolResult =
    Array.isArray(json) && json.every((part) => typeof part === "object" && part !== null && "content" in part);
  return isToolResult ? result : JSON.stringify([{ content: result }]);
}

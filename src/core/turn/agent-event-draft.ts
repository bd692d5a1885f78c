// Maps an agent event to the event we publish. The effects on the task itself are decided in `agent-run.ts`.

import { assertNever } from "../../lib/assert.ts";
import type { AgentEvent } from "../../protocol/agents/agent.ts";
import type { EventDraft } from "../ports.ts";
import type { EventScope } from "../models/delta-writer.ts";
import { createToolCallCompleted, createToolCallStarted, type ToolCallPayload } from "./task-events.ts";

/** The agent events that readers receive one to one. The other events control the task. */
export type PublishedAgentEvent = Exclude<
  AgentEvent,
  {
    type:
      | "accepted"
      | "text"
      | "reasoning"
      | "usage"
      | "criterion"
      | "checkpoint"
      | "retracted"
      | "input_required"
      | "completed"
      | "failed";
  }
>;

/** Returns the draft of an agent event in a task's scope. Ids of calls and components become unique per task. */
export function toEventDraft(eventScope: EventScope, event: PublishedAgentEvent): EventDraft {
  const data = { ...eventScope, role: "agent" } as const;
  switch (event.type) {
    case "notification":
      return { event: "message", data: { ...data, payload: { content: event.text } } };
    case "tool_started":
      return createToolCallStarted(eventScope, buildToolCall(eventScope, event));
    case "tool_completed":
      return createToolCallCompleted(eventScope, buildToolCall(eventScope, event), event.result);
    case "component": {
      const { component_type, content } = event;
      const item = resolveItemId(eventScope, event);
      return { event: "component_generator", data: { ...data, ...item, payload: { component_type, content } } };
    }
    default:
      return assertNever(event);
  }
}

/** The format of the item ids that the runtime assigns. */
const RUNTIME_ITEM_ID = /^(?:item|call|reasoning)-[0-9a-f]{32}$/;

/**
 * Returns the item id of a component: the agent's own id, so that a later event can replace the component. An id in the
 * runtime's format gets the task id as a prefix, so that an agent cannot replace items of the runtime.
 */
function resolveItemId({ task_id }: EventScope, { component_id: id = "" }: Extract<AgentEvent, { type: "component" }>) {
  if (id === "") return {};
  return { item_id: RUNTIME_ITEM_ID.test(id) ? `${task_id}/${id}` : id };
}

/** Prefixes the call id with the task id: call ids are unique within one task only. */
function buildToolCall(
  eventScope: EventScope,
  event: Extract<AgentEvent, { type: "tool_started" | "tool_completed" }>,
): ToolCallPayload {
  const call = { tool_call_id: `${eventScope.task_id}/${event.call_id}`, tool_name: event.tool };
  return event.arguments === undefined ? call : { ...call, tool_arguments: event.arguments };
}

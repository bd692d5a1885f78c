// Maps an agent event to the event we publish. The effects on the task itself are decided in `agent-run.ts`.

import { unreachable } from "../protocol/assert.ts";
import type { AgentEvent } from "../protocol/agent.ts";
import type { Draft } from "./ports.ts";
import { callCompleted, callStarted, type Call } from "./tool-events.ts";
import type { Place } from "./voice.ts";

/** The agent events that readers receive one to one. The other events control the task. */
export type Told = Exclude<
  AgentEvent,
  {
    type:
      | "accepted"
      | "text"
      | "reasoning"
      | "usage"
      | "checkpoint"
      | "retracted"
      | "input_required"
      | "completed"
      | "failed";
  }
>;

/** Returns the draft of an agent event in a task's scope. Ids of calls and components become unique per task. */
export function route(place: Place, said: Told): Draft {
  const data = { ...place, role: "agent" } as const;
  switch (said.type) {
    case "notification":
      return { event: "message", data: { ...data, payload: { content: said.text } } };
    case "tool_started":
      return callStarted(place, callOf(place, said));
    case "tool_completed":
      return callCompleted(place, callOf(place, said), said.result);
    case "component": {
      const { component_type, content } = said;
      const item = itemOf(place, said);
      return { event: "component_generator", data: { ...data, ...item, payload: { component_type, content } } };
    }
    default:
      return unreachable(said);
  }
}

/** The format of the item ids that the runtime assigns. */
const OURS = /^(?:item|call|reasoning)-[0-9a-f]{32}$/;

/**
 * Returns the item id of a component: the agent's own id, so that a later event can replace the component. An id in the
 * runtime's format gets the task id as a prefix, so that an agent cannot replace items of the runtime.
 */
function itemOf({ task_id }: Place, { component_id: id = "" }: Extract<AgentEvent, { type: "component" }>) {
  if (id === "") return {};
  return { item_id: OURS.test(id) ? `${task_id}/${id}` : id };
}

/** Prefixes the call id with the task id: call ids are unique within one task only. */
function callOf(place: Place, said: Extract<AgentEvent, { type: "tool_started" | "tool_completed" }>): Call {
  const call = { tool_call_id: `${place.task_id}/${said.call_id}`, tool_name: said.tool };
  return said.arguments === undefined ? call : { ...call, tool_arguments: said.arguments };
}

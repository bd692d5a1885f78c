// What an agent's event means to us: what to tell readers. What becomes of the task is decided by the executor.

import { unreachable } from "../protocol/assert.ts";
import type { AgentEvent } from "../protocol/agent.ts";
import type { Draft } from "./ports.ts";
import { callCompleted, callStarted, type Call } from "./tool-events.ts";
import type { Place } from "./voice.ts";

/** Events of agents that are told to readers as they come; the others steer the task. */
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

/** What the ids look like that the runtime gives to items of its own. */
const OURS = /^(?:item|call|reasoning)-[0-9a-f]{32}$/;

/** A component goes by the agent's own id for it, so that it can be replaced: it, and nothing that is not the agent's. */
function itemOf({ task_id }: Place, { component_id: id = "" }: Extract<AgentEvent, { type: "component" }>) {
  if (id === "") return {};
  return { item_id: OURS.test(id) ? `${task_id}/${id}` : id };
}

/** Ids of calls are unique within their task only: two agents may both speak of `call_1`. */
function callOf(place: Place, said: Extract<AgentEvent, { type: "tool_started" | "tool_completed" }>): Call {
  const call = { tool_call_id: `${place.task_id}/${said.call_id}`, tool_name: said.tool };
  return said.arguments === undefined ? call : { ...call, tool_arguments: said.arguments };
}

// What an agent's event means to us: what to tell readers. What becomes of the task is decided by the executor.

import { unreachable } from "../protocol/assert.ts";
import type { AgentEvent } from "../protocol/agent.ts";
import type { Draft } from "./ports.ts";
import type { Place } from "./voice.ts";

/** Events of agents that are told to readers as they come; the others steer the task. */
export type Told = Exclude<
  AgentEvent,
  { type: "accepted" | "text" | "reasoning" | "usage" | "checkpoint" | "input_required" | "completed" | "failed" }
>;

export function route(place: Place, said: Told): Draft {
  const data = { ...place, role: "agent" } as const;
  switch (said.type) {
    case "notification":
      return { event: "message", data: { ...data, payload: { content: said.text } } };
    case "tool_started":
      return {
        event: "tool_call_started",
        data: { ...data, item_id: callId(place, said.call_id), payload: callOf(place, said) },
      };
    case "tool_completed": {
      const payload = { ...callOf(place, said), tool_result: asToolResult(said.result) };
      return { event: "tool_call_completed", data: { ...data, item_id: callId(place, said.call_id), payload } };
    }
    case "component": {
      const { component_type, content, component_id } = said;
      const item = component_id === undefined ? {} : { item_id: component_id };
      return { event: "component_generator", data: { ...data, ...item, payload: { component_type, content } } };
    }
    default:
      return unreachable(said);
  }
}

function callOf(place: Place, said: Extract<AgentEvent, { type: "tool_started" | "tool_completed" }>) {
  const call = { tool_call_id: callId(place, said.call_id), tool_name: said.tool };
  return said.arguments === undefined ? call : { ...call, tool_arguments: said.arguments };
}

/** Ids of calls are unique within their task only: two agents may both speak of `call_1`. */
function callId(place: Place, id: string): string {
  return `${place.task_id}/${id}`;
}

/** A result as a JSON array of objects with `content`; a text that is one already is left alone. */
export function asToolResult(result: string): string {
  try {
    const json: unknown = JSON.parse(result);
    const isOne =
      Array.isArray(json) && json.every((part) => typeof part === "object" && part !== null && "content" in part);
    if (isOne) return result;
  } catch {
    // Plain text: wrapped below.
  }
  return JSON.stringify([{ content: result }]);
}

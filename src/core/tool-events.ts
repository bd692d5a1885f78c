// The two events of a tool call. Both have the call's id as item id, so readers see one item that its result replaces.

import { jsonIn } from "../protocol/json-text.ts";
import type { Draft } from "./ports.ts";
import type { Place } from "./voice.ts";

/** The payload of both events. `tool_call_id` must be unique within the conversation. */
export type Call = { readonly tool_call_id: string; readonly tool_name: string; readonly tool_arguments?: string };

/** Creates the event of a started tool call. */
export function callStarted(place: Place, call: Call): Draft {
  return { event: "tool_call_started", data: { ...place, role: "agent", item_id: call.tool_call_id, payload: call } };
}

/** Creates the event of a completed tool call. `result` is plain text, or already the JSON format of the wire. */
export function callCompleted(place: Place, call: Call, result: string): Draft {
  const payload = { ...call, tool_result: asToolResult(result) };
  return { event: "tool_call_completed", data: { ...place, role: "agent", item_id: call.tool_call_id, payload } };
}

/** Returns a result as a JSON array of objects with `content`. A text that already has this format stays unchanged. */
function asToolResult(result: string): string {
  // Parsing prose throws an error, which costs more than creating the event; test the first character first.
  const json = /^\s*\[/.test(result) ? jsonIn(result) : undefined;
  const isOne =
    Array.isArray(json) && json.every((part) => typeof part === "object" && part !== null && "content" in part);
  return isOne ? result : JSON.stringify([{ content: result }]);
}

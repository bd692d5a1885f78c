// A tool call as readers see it: one item, which its end replaces.

import { jsonIn } from "../protocol/json-text.ts";
import type { Draft } from "./ports.ts";
import type { Place } from "./voice.ts";

export type Call = { readonly tool_call_id: string; readonly tool_name: string; readonly tool_arguments?: string };

export function callStarted(place: Place, call: Call): Draft {
  return { event: "tool_call_started", data: { ...place, role: "agent", item_id: call.tool_call_id, payload: call } };
}

/** `result` is a text, or the JSON that a result has on the wire. */
export function callCompleted(place: Place, call: Call, result: string): Draft {
  const payload = { ...call, tool_result: asToolResult(result) };
  return { event: "tool_call_completed", data: { ...place, role: "agent", item_id: call.tool_call_id, payload } };
}

/** A result as a JSON array of objects with `content`; a text that is one already is left alone. */
function asToolResult(result: string): string {
  // To find out that prose is no JSON takes an error, which costs more than an event.
  const json = /^\s*\[/.test(result) ? jsonIn(result) : undefined;
  const isOne =
    Array.isArray(json) && json.every((part) => typeof part === "object" && part !== null && "content" in part);
  return isOne ? result : JSON.stringify([{ content: result }]);
}

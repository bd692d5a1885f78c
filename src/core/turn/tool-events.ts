// The two events of a tool call. Both have the call's id as item id, so readers see one item that its result replaces.

import { tryParseJson } from "../../lib/parse-json.ts";
import type { EventDraft } from "../ports.ts";
import type { EventScope } from "../models/delta-writer.ts";

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
function toToolResult(result: string): string {
  // Parsing prose throws an error, which costs more than creating the event; test the first character first.
  const json = /^\s*\[/.test(result) ? tryParseJson(result) : undefined;
  const isToolResult =
    Array.isArray(json) && json.every((part) => typeof part === "object" && part !== null && "content" in part);
  return isToolResult ? result : JSON.stringify([{ content: result }]);
}

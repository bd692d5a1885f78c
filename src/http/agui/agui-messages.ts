// Converts items to AG-UI messages, and components to activities. Clients keep activities across message snapshots, so
// a removed component is emptied instead.

import * as z from "zod";
import type { Item } from "../../protocol/wire/items.ts";
import { getItemText } from "../../protocol/wire/items.ts";
import { parseJsonOrText } from "../../lib/parse-json.ts";
import type { AgUiMessage, AgUiOrigin, RunEvent } from "./agui-events.ts";

const toolResultSchema = z.array(z.object({ content: z.string() }));

/** Returns the messages of an item: none for an empty text or another event, one, or a call and its result. */
export function toMessages(item: Item): AgUiMessage[] {
  const { item_id: id, payload, role, agent_name: name } = item;
  const text = getItemText(item);
  const metadata = getOrigin(item);
  switch (item.event) {
    case "thread_started":
    case "message":
      if (role === "system" || text === "") return [];
      return [role === "user" ? { id, role, content: text } : { id, role: "assistant", content: text, name, metadata }];
    case "message_chunk":
    case "plan_require_user_input":
    case "task_waiting":
      return text === "" ? [] : [{ id, role: "assistant", content: text, name, metadata }];
    case "reasoning":
      return text === "" ? [] : [{ id, role: "reasoning", content: text, metadata }];
    case "tool_call_started":
    case "tool_call_completed":
      return toCallMessages(id, payload, metadata);
    case "component_generator": {
      const activityType = String(payload["component_type"]);
      return [{ id, role: "activity", activityType, content: parseComponent(text), metadata }];
    }
    default:
      return [];
  }
}

/** Returns a call as a message, followed by its result if it exists. */
function toCallMessages(id: string, payload: Item["payload"], metadata: AgUiOrigin | undefined): AgUiMessage[] {
  const { tool_name, tool_arguments = "", tool_result } = payload;
  const call = { name: String(tool_name), arguments: String(tool_arguments) };
  const callMessage: AgUiMessage = {
    id,
    role: "assistant",
    toolCalls: [{ id, type: "function", function: call, metadata }],
  };
  if (typeof tool_result !== "string") return [callMessage];
  return [
    callMessage,
    { id: toResultId(id), role: "tool", toolCallId: id, content: formatToolResult(tool_result), metadata },
  ];
}

/** The members of an event or item that identify its origin. */
export type OriginFields = { readonly task_id?: string | undefined; readonly agent_name?: string | undefined };

/** Returns the origin; undefined for output that belongs to no task. */
export function getOrigin({ task_id, agent_name }: OriginFields): AgUiOrigin | undefined {
  if (task_id === undefined) return undefined;
  return { task_id, ...(agent_name === undefined ? {} : { agent_name }) };
}

/** Returns the origin as a member of an event. */
export function toOriginMetadata(data: OriginFields): { readonly metadata?: AgUiOrigin } {
  const metadata = getOrigin(data);
  return metadata === undefined ? {} : { metadata };
}

/** Returns the id of the message with a call's result. */
export function toResultId(callId: string): string {
  return `${callId}.result`;
}

/** Returns the text of a tool result. The log contains it as a JSON list of objects with `content`. */
export function formatToolResult(text: string): string {
  const entries = toolResultSchema.safeParse(parseJsonOrText(text));
  return entries.success ? entries.data.map(({ content }) => content).join("\n") : text;
}

/** Parses the content of a component. Values other than objects are wrapped as `{ content }`. */
export function parseComponent(text: string): Readonly<Record<string, unknown>> {
  const content = parseJsonOrText(text);
  const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
  return isObject ? (content as Record<string, unknown>) : { content };
}

/** True for items that are sent as activities instead of messages. */
export function isComponent({ event }: Item): boolean {
  return event === "component_generator";
}

type ActivityComponent = Pick<Item, "item_id" | "payload"> & OriginFields;

/** Returns the event that shows a component, or replaces it by its current content. */
export function toActivity(component: ActivityComponent): RunEvent {
  const { item_id: messageId, payload } = component;
  const activityType = String(payload["component_type"]);
  const content = parseComponent(String(payload["content"]));
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content, replace: true, ...toOriginMetadata(component) };
}

/** Returns the event that empties a removed component. */
export function toEmptyActivity({ item_id: messageId, payload }: ActivityComponent): RunEvent {
  const activityType = String(payload["component_type"]);
  return { type: "ACTIVITY_SNAPSHOT", messageId, activityType, content: { taken_back: true }, replace: true };
}

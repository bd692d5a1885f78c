// Items as the messages of AG-UI.

import * as z from "zod";
import type { Item } from "../../protocol/items.ts";
import { textOf } from "../../protocol/items.ts";
import { jsonOrText } from "../../protocol/json-text.ts";
import type { Message, Origin } from "./events.ts";

const wordsSchema = z.array(z.object({ content: z.string() }));

/** The messages that an item is: none, one, or a call and its result. */
export function messagesOf(item: Item): Message[] {
  const { item_id: id, payload, role, agent_name: name } = item;
  const text = textOf(item);
  const metadata = originOf(item);
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
      return callOf(id, payload, metadata);
    case "component_generator": {
      const activityType = String(payload["component_type"]);
      return [{ id, role: "activity", activityType, content: componentIn(text), metadata }];
    }
    default:
      return [];
  }
}

function callOf(id: string, payload: Item["payload"], metadata: Origin | undefined): Message[] {
  const { tool_name, tool_arguments = "", tool_result } = payload;
  const call = { name: String(tool_name), arguments: String(tool_arguments) };
  const asked: Message = { id, role: "assistant", toolCalls: [{ id, type: "function", function: call, metadata }] };
  if (typeof tool_result !== "string") return [asked];
  return [asked, { id: resultId(id), role: "tool", toolCallId: id, content: resultIn(tool_result), metadata }];
}

export type Placed = { readonly task_id?: string | undefined; readonly agent_name?: string | undefined };

export function originOf({ task_id, agent_name }: Placed): Origin | undefined {
  if (task_id === undefined) return undefined;
  return { task_id, ...(agent_name === undefined ? {} : { agent_name }) };
}

/** Its origin, as an event carries it. */
export function madeBy(data: Placed): { readonly metadata?: Origin } {
  const metadata = originOf(data);
  return metadata === undefined ? {} : { metadata };
}

/** The id of the message that has the result of a call. */
export function resultId(callId: string): string {
  return `${callId}.result`;
}

/** The words of a tool's result, which stands in the log as a list of objects with `content`. */
export function resultIn(text: string): string {
  const words = wordsSchema.safeParse(jsonOrText(text));
  return words.success ? words.data.map(({ content }) => content).join("\n") : text;
}

/** What a component shows, as an object. */
export function componentIn(text: string): Readonly<Record<string, unknown>> {
  const content = jsonOrText(text);
  const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
  return isObject ? (content as Record<string, unknown>) : { content };
}

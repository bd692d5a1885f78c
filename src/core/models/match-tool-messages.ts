// Matches the tool calls and tool results of a list of messages. Endpoints reject a call without a result and a result
// without a call; a history that was cut may contain both.

import type { ChatMessage } from "../ports.ts";

type ToolMessage = Extract<ChatMessage, { role: "tool" }>;

/** The result of a call for which the client has sent none. */
const NO_RESULT = "No result was returned.";

/**
 * Returns the messages with one result behind each call, in the order of the calls. Results are looked for up to the next
 * message with calls; results without a call are left out.
 */
export function matchToolMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, i): ChatMessage[] => {
    if (message.role === "tool") return [];
    const { toolCalls = [] } = message.role === "assistant" ? message : {};
    if (toolCalls.length === 0) return [message];
    const after = messages.slice(i + 1);
    const end = after.findIndex((later) => later.role === "assistant" && (later.toolCalls ?? []).length > 0);
    const results = (end < 0 ? after : after.slice(0, end)).filter((later) => later.role === "tool");
    return [message, ...toolCalls.map(({ id }) => findResult(results, id))];
  });
}

function findResult(results: readonly ToolMessage[], id: string): ChatMessage {
  return results.find(({ toolCallId }) => toolCallId === id) ?? { role: "tool", toolCallId: id, content: NO_RESULT };
}

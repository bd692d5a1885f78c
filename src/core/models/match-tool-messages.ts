// Matches the tool calls and tool results of a list of messages. Endpoints reject a call without a result and a result
// without a call; a history that was cut may contain both. The results come from outside, so they are marked as such.

import { formatUntrusted } from "../../protocol/provenance/untrusted-block.ts";
import type { ChatMessage, ToolCall } from "../ports.ts";

type ToolMessage = Extract<ChatMessage, { role: "tool" }>;

/** The result of a call for which the client has sent none. */
const NO_RESULT = "No result was returned.";

/**
 * Returns the messages with one result behind each call, in the order of the calls, as untrusted blocks. Results are
 * looked for up to the next message with calls; results without a call are left out.
 */
export function matchToolMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, i): ChatMessage[] => {
    if (message.role === "tool") return [];
    const { toolCalls = [] } = message.role === "assistant" ? message : {};
    if (toolCalls.length === 0) return [message];
    const after = messages.slice(i + 1);
    const end = after.findIndex((later) => later.role === "assistant" && (later.toolCalls ?? []).length > 0);
    const results = (end < 0 ? after : after.slice(0, end)).filter((later) => later.role === "tool");
    return [message, ...toolCalls.map((call) => createResult(results, call))];
  });
}

function createResult(results: readonly ToolMessage[], { id, name }: ToolCall): ChatMessage {
  const content = results.find(({ toolCallId }) => toolCallId === id)?.content ?? NO_RESULT;
  return { role: "tool", toolCallId: id, content: formatUntrusted(name, content) };
}

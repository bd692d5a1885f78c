// Converts a `ModelRequest` to the body of a chat-completions request.

import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { ChatMessage, ModelRequest, ToolSpec } from "../core/ports.ts";

/**
 * Returns the body of a streaming request with usage. `model` and `temperature` are used instead of those of `request`;
 * an undefined temperature is omitted, so that the model uses its default.
 */
export function toCompletionParams(
  request: ModelRequest,
  model: string,
  temperature: number | undefined,
): ChatCompletionCreateParamsStreaming {
  const tools = request.tools ?? [];
  return {
    model,
    messages: request.messages.map(toEndpointMessage),
    // Endpoints reject an empty list of tools.
    ...(tools.length === 0 ? {} : { tools: tools.map(toFunctionTool) }),
    ...(temperature === undefined ? {} : { temperature }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toEndpointMessage(message: ChatMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
    case "assistant": {
      const calls = message.toolCalls ?? [];
      if (calls.length === 0) return { role: "assistant", content: message.content };
      return {
        role: "assistant",
        content: message.content === "" ? null : message.content,
        tool_calls: calls.map(({ id, name, arguments: args }) => ({
          id,
          type: "function",
          function: { name, arguments: args },
        })),
      };
    }
  }
}

function toFunctionTool({ name, description, parameters }: ToolSpec): ChatCompletionFunctionTool {
  return { type: "function", function: { name, description, parameters } };
}

/** Percent-encodes a role for a header: names of agents may contain any script, headers only printable ASCII. */
export function encodeRoleHeader(role: string): string {
  return role.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from "openai/resources/chat/completions";
import type { ChatMessage, ModelRequest, ToolSpec } from "../core/ports.ts";

/** A request as chat completions want it. */
export function toParams(request: ModelRequest, model: string): ChatCompletionCreateParamsStreaming {
  const tools = request.tools ?? [];
  return {
    model,
    messages: request.messages.map(toMessage),
    // Endpoints refuse an empty list.
    ...(tools.length === 0 ? {} : { tools: tools.map(toTool) }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toMessage(message: ChatMessage): ChatCompletionMessageParam {
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

function toTool({ name, description, parameters }: ToolSpec): ChatCompletionTool {
  return { type: "function", function: { name, description, parameters: { ...parameters } } };
}

/** A role as a header can carry it: agents may be named in any script. */
export function roleHeader(role: string): string {
  return role.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

// Converts a `ModelRequest` to the body of a chat-completions request.

import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { AnswerFormat, ChatMessage, ImageInput, ModelRequest, ToolSpec } from "../core/ports.ts";

/**
 * Returns the body of a streaming request with usage. `model` and `temperature` are used instead of those of `request`;
 * an undefined temperature is omitted, so that the model uses its default.
 */
export function toCompletionParams(
  request: ModelRequest,
  model: string,
  temperature: number | undefined,
): ChatCompletionCreateParamsStreaming {
  const { tools = [], mustCall = false, callsOnce = false, format } = request;
  return {
    model,
    messages: request.messages.map(toEndpointMessage),
    // Endpoints reject an empty list of tools.
    ...(tools.length === 0 ? {} : { tools: tools.map(toFunctionTool) }),
    ...(mustCall ? { tool_choice: "required" } : {}),
    ...(callsOnce ? { parallel_tool_calls: false } : {}),
    ...(format === undefined ? {} : { response_format: toResponseFormat(format) }),
    ...(temperature === undefined ? {} : { temperature }),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function toEndpointMessage(message: ChatMessage): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user": {
      const { content, images = [] } = message;
      return { role: "user", content: images.length === 0 ? content : toContentParts(content, images) };
    }
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

function toContentParts(text: string, images: readonly ImageInput[]): ChatCompletionContentPart[] {
  const imageParts = images.map((image_url) => ({ type: "image_url" as const, image_url }));
  return text === "" ? imageParts : [{ type: "text", text }, ...imageParts];
}

function toFunctionTool({ name, description, parameters, strict }: ToolSpec): ChatCompletionFunctionTool {
  return {
    type: "function",
    function: { name, description, parameters, ...(strict === undefined ? {} : { strict }) },
  };
}

function toResponseFormat(format: AnswerFormat): NonNullable<ChatCompletionCreateParamsStreaming["response_format"]> {
  if (format.type === "json_object") return { type: "json_object" };
  const { type, ...json_schema } = format;
  return { type, json_schema };
}

/** Percent-encodes a role for a header: names of agents may contain any script, headers only printable ASCII. */
export function encodeRoleHeader(role: string): string {
  return role.replaceAll(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

// Parses chat completion requests: the new messages are sent, the earlier ones are their history.
//
// Parameters that would change the answer in a way that the runtime does not support are refused. Parameters that only
// tune a model are ignored.

import * as z from "zod";
import type { AnswerOptions } from "../../core/models/answer-options.ts";
import type { ChatMessage, ToolCall } from "../../core/ports.ts";
import { parseOrThrow } from "../../protocol/wire/fault.ts";
import {
  answerFormatSchema,
  parseAnswerFormat,
  parseClientTools,
  quote,
  toolChoiceSchema,
  toolListSchema,
} from "./answer-parameters.ts";
import { parseImage } from "./image-part.ts";
import { OpenAiError } from "./openai-error.ts";

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const toolCallSchema = z.looseObject({
  id: z.string().min(1).max(256),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const messageSchema = z.looseObject({
  role: z.string().describe("`user`, `assistant`, `system`, `developer` or `tool`."),
  content: z
    .union([z.string(), z.array(partSchema)])
    .nullish()
    .describe("Text, or parts of the types `text` and, from the user, `image_url`."),
  tool_calls: z.array(toolCallSchema).nullish().describe("The calls of an assistant message, as they were returned."),
  tool_call_id: z.string().nullish().describe("The id of the call of which a tool message has the result."),
});

/** The parameters that are supported. See docs/open-protocols.md for the others. */
export const completionSchema = z.looseObject({
  model: z.string().min(1).max(128).describe("`orrery`, or the name of an agent."),
  messages: z
    .array(messageSchema)
    .min(1)
    .max(2_000)
    .describe("The last message must be from the user, or the result of a tool."),
  tools: toolListSchema.nullish().describe("Functions of the client that the model `orrery` may call."),
  tool_choice: toolChoiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: answerFormatSchema.nullish().describe("`text`, `json_object` or `json_schema`."),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});
type OpenAiChatMessage = z.infer<typeof messageSchema>;

/** A validated request. */
export type CompletionRequest = {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly options: Omit<AnswerOptions, "input">;
  readonly streams: boolean;
  readonly wantsUsage: boolean;
};

/**
 * Parses a request. Throws `invalid_request` if it does not match the schema, and an `OpenAiError` (400) if it uses
 * unsupported features.
 */
export function parseCompletion(body: unknown): CompletionRequest {
  const { model, messages, stream, stream_options, response_format, ...rest } = parseOrThrow(completionSchema, body);
  refuseUnsupported(rest);
  const clientTools = parseClientTools(rest);
  const format = parseAnswerFormat(response_format, "response_format");
  return {
    model,
    messages: messages.map(toChatMessage),
    options: { ...(clientTools === undefined ? {} : { clientTools }), ...(format === undefined ? {} : { format }) },
    streams: stream === true,
    wantsUsage: stream_options?.include_usage === true,
  };
}

/** Converts a message. Throws an `OpenAiError` for unknown roles and for content that is not supported. */
function toChatMessage(message: OpenAiChatMessage, i: number): ChatMessage {
  const { role, content } = message;
  const param = `messages.${i}`;
  switch (role) {
    case "system":
    case "developer":
      return { role: "system", content: joinTextParts(content, param) };
    case "user":
      return toUserMessage(content, param);
    case "assistant":
      if (!isAbsent(message["function_call"])) throw createFunctionsError(`${param}.function_call`);
      return { role, content: joinTextParts(content, param), ...toToolCalls(message) };
    case "tool": {
      const { tool_call_id: toolCallId } = message;
      if (isAbsent(toolCallId)) throw createError(`${param}.tool_call_id`, "is required");
      return { role, toolCallId, content: joinTextParts(content, param) };
    }
    case "function":
      throw createFunctionsError(`${param}.role`);
    default:
      throw createError(`${param}.role`, `unknown role ${quote(role)}`);
  }
}

function toToolCalls({ tool_calls: calls }: OpenAiChatMessage): { readonly toolCalls?: readonly ToolCall[] } {
  if (isAbsent(calls) || calls.length === 0) return {};
  return { toolCalls: calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, arguments: args })) };
}

function toUserMessage(content: OpenAiChatMessage["content"], param: string): ChatMessage {
  const parts = typeof content === "string" ? [] : (content ?? []);
  const images = parts.flatMap((part, i) =>
    part.type === "image_url" ? [parseImage(part["image_url"], `${param}.content.${i}`)] : [],
  );
  const text = typeof content === "string" ? content : parts.filter(({ type }) => type !== "image_url");
  return { role: "user", content: joinTextParts(text, param), ...(images.length === 0 ? {} : { images }) };
}

/** Returns the text of a message, its parts joined by line feeds. */
function joinTextParts(content: OpenAiChatMessage["content"], param: string): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part, i) => readTextPart(part, `${param}.content.${i}`)).join("\n");
}

/** Returns the text of a part. Throws an `OpenAiError` for audio, files, and images outside of user messages. */
function readTextPart({ type, text, refusal }: z.infer<typeof partSchema>, param: string): string {
  if (type === "text" && text !== undefined) return text;
  if (type === "refusal" && typeof refusal === "string") return refusal;
  throw new OpenAiError(400, "unsupported_content", `${param}: must be text, not ${quote(type)}`, { param });
}

/** Creates the error for the functions of older clients, which `tools` replaces. */
function createFunctionsError(param: string): OpenAiError {
  return new OpenAiError(400, "unsupported", `${param}: is not supported; use tools`, { param });
}

function createError(param: string, problem: string): OpenAiError {
  return new OpenAiError(400, "invalid_request", `${param}: ${problem}`, { param });
}

/** Parameters that change the answer, with a test for the values that have no effect. */
const HARMLESS_VALUES: Readonly<Record<string, (value: unknown) => boolean>> = {
  functions: isEmptyArray,
  function_call: (value) => value === "none" || value === "auto",
  n: (value) => value === 1,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  audio: () => false,
  modalities: (value) => Array.isArray(value) && value.every((modality) => modality === "text"),
  stop: isEmptyArray,
  web_search_options: () => false,
};

/** Throws an `OpenAiError` for the first parameter with an unsupported value. */
function refuseUnsupported(rest: Readonly<Record<string, unknown>>): void {
  for (const [param, isHarmless] of Object.entries(HARMLESS_VALUES)) {
    const value = Object.hasOwn(rest, param) ? rest[param] : undefined;
    if (isAbsent(value) || isHarmless(value)) continue;
    if (param === "functions" || param === "function_call") throw createFunctionsError(param);
    throw new OpenAiError(400, "unsupported", `${param}: is not supported`, { param });
  }
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

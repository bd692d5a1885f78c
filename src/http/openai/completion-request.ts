// Parses chat completion requests: the last message is sent, the earlier ones are its history.
//
// Parameters that would change the answer in a way that the runtime does not support are refused. Parameters that only
// tune a model are ignored.

import * as z from "zod";
import { parseOrThrow } from "../../protocol/wire/fault.ts";
import type { HistoryMessage } from "../client-history.ts";
import { OpenAiError } from "./openai-error.ts";

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });
const messageSchema = z.looseObject({
  role: z.string().describe("`user`, `assistant`, `system` or `developer`."),
  content: z
    .union([z.string(), z.array(partSchema)])
    .nullish()
    .describe("Text, or parts of the type `text`."),
});

/** The parameters that are supported. See docs/open-protocols.md for the others. */
export const completionSchema = z.looseObject({
  model: z.string().min(1).max(128).describe("`orrery`, or the name of an agent."),
  messages: z.array(messageSchema).min(1).max(2_000).describe("The last message must be from the user."),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
});
type OpenAiChatMessage = z.infer<typeof messageSchema>;

/** A validated request. */
export type CompletionRequest = {
  readonly model: string;
  /** The last message of the user. */
  readonly message: string;
  /** The other messages, oldest first. Their number and length are not limited. */
  readonly earlierMessages: readonly HistoryMessage[];
  readonly streams: boolean;
  readonly wantsUsage: boolean;
};

/**
 * Parses a request. Throws `invalid_request` if it does not match the schema, and an `OpenAiError` (400) if it uses
 * unsupported features, or does not end with a text of the user. System messages may follow that text.
 */
export function parseCompletion(body: unknown): CompletionRequest {
  const { model, messages, stream, stream_options, ...rest } = parseOrThrow(completionSchema, body);
  refuseUnsupported(rest);
  const history = messages.map(toHistoryMessage);
  const lastIndex = history.findLastIndex(({ role }) => role !== "system");
  const last = history[lastIndex];
  if (last?.role !== "user") {
    throw new OpenAiError(400, "invalid_request", "messages: must end with a user message", { param: "messages" });
  }
  if (last.content.trim() === "") {
    throw new OpenAiError(400, "invalid_request", `messages.${lastIndex}.content: must not be empty`, {
      param: `messages.${lastIndex}.content`,
    });
  }
  return {
    model,
    message: last.content,
    earlierMessages: history.toSpliced(lastIndex, 1).filter(({ content }) => content.trim() !== ""),
    streams: stream === true,
    wantsUsage: stream_options?.include_usage === true,
  };
}

/** Converts a message. Throws an `OpenAiError` for messages of tools and for unknown roles. */
function toHistoryMessage(message: OpenAiChatMessage, i: number): HistoryMessage {
  const { role, content } = message;
  const param = `messages.${i}`;
  switch (role) {
    case "system":
    case "developer":
      return { role: "system", content: joinTextParts(content, param) };
    case "user":
      return { role, content: joinTextParts(content, param) };
    case "assistant":
      if (!isAbsent(message["tool_calls"]) || !isAbsent(message["function_call"]))
        throw createToolsError(`${param}.tool_calls`);
      return { role, content: joinTextParts(content, param) };
    case "tool":
    case "function":
      throw createToolsError(`${param}.role`);
    default:
      throw new OpenAiError(400, "invalid_request", `${param}.role: unknown role ${quoteStart(role)}`, {
        param: `${param}.role`,
      });
  }
}

/** Returns the text of a message, its parts joined by line feeds. */
function joinTextParts(content: OpenAiChatMessage["content"], param: string): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part, i) => readTextPart(part, `${param}.content.${i}`)).join("\n");
}

/** Returns the text of a part. Throws an `OpenAiError` for images, audio and files. */
function readTextPart({ type, text, refusal }: z.infer<typeof partSchema>, param: string): string {
  if (type === "text" && text !== undefined) return text;
  if (type === "refusal" && typeof refusal === "string") return refusal;
  throw new OpenAiError(400, "unsupported", `${param}: must be text, not ${quoteStart(type)}`, { param });
}

/** Creates the error for tools of the client, which the runtime does not call. */
function createToolsError(param: string): OpenAiError {
  const sentence = `${param}: client tools are not supported; the agents have their own tools`;
  return new OpenAiError(400, "unsupported", sentence, { param });
}

/** Parameters that change the answer, with a test for the values that have no effect. */
const HARMLESS_VALUES: Readonly<Record<string, (value: unknown) => boolean>> = {
  tools: isEmptyArray,
  functions: isEmptyArray,
  tool_choice: (value) => value === "none" || value === "auto",
  function_call: (value) => value === "none" || value === "auto",
  n: (value) => value === 1,
  logprobs: (value) => value === false,
  top_logprobs: (value) => value === 0,
  response_format: (value) => typeof value === "object" && value !== null && "type" in value && value.type === "text",
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
    if (param === "tools" || param === "functions" || param === "tool_choice" || param === "function_call") {
      throw createToolsError(param);
    }
    throw new OpenAiError(400, "unsupported", `${param}: is not supported`, { param });
  }
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

function isEmptyArray(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Quotes the beginning of a text for an error message. */
function quoteStart(text: string): string {
  return JSON.stringify(text.slice(0, 64));
}

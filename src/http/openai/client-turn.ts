// The messages that a client sends, divided into the new message and the history before it.

import type { ChatMessage } from "../../core/ports.ts";
import { exceedsBytes } from "../../lib/text-size.ts";
import type { HistoryMessage } from "../client-history.ts";
import { OpenAiError } from "./openai-error.ts";

/** Maximum size of all new messages besides the text: the calls and results of client tools, in bytes of JSON. */
const MAX_TOOL_BYTES = 128 * 1024;
/** Maximum size of all images of one message, as URLs. They are stored with the message, in one row. */
const MAX_IMAGE_CHARS = 700_000;

/** A client's conversation, as `SendCommand` and `AnswerOptions` need it. */
export type ClientTurn = {
  /** The text for people, the planner and agents. */
  readonly message: string;
  /** The messages that the model reads instead of the text; absent if they are the text. */
  readonly input?: readonly ChatMessage[];
  /** The messages before it. Their number and length are not limited. */
  readonly earlierMessages: readonly HistoryMessage[];
};

/**
 * Divides messages that are complete: the last user message and everything behind it is new. Throws an `OpenAiError`
 * (400) if they do not end with a text of the user or with tool results, or if a result belongs to no call. System
 * messages may follow.
 */
export function splitMessages(messages: readonly ChatMessage[], param: string): ClientTurn {
  checkEnd(messages, param);
  checkResults(messages, param);
  const instructions = messages.filter(({ role }) => role === "system");
  const spoken = messages.filter(({ role }) => role !== "system");
  const start = spoken.findLastIndex(({ role }) => role === "user");
  const [added, earlier] = start < 0 ? [spoken, []] : [spoken.slice(start), spoken.slice(0, start)];
  const hasContent = (message: ChatMessage): boolean => message.content.trim() !== "" || "toolCalls" in message;
  return { ...createTurn(added, param), earlierMessages: [...instructions, ...earlier].filter(hasContent) };
}

/** Returns the turn whose messages are all new, with system messages as its history. Throws like `splitMessages`. */
export function addMessages(messages: readonly ChatMessage[], param: string): ClientTurn {
  checkEnd(messages, param);
  const instructions = messages.filter(({ role }) => role === "system");
  return {
    ...createTurn(
      messages.filter(({ role }) => role !== "system"),
      param,
    ),
    earlierMessages: instructions,
  };
}

/**
 * Returns the messages that continue a conversation which has the others: the results of its last calls, and the last
 * text of the user. Throws like `splitMessages`.
 */
export function selectContinuation(messages: readonly ChatMessage[], param: string): ClientTurn {
  checkEnd(messages, param);
  const spoken = messages.filter(({ role }) => role !== "system");
  const added = spoken.slice(spoken.findLastIndex(({ role }) => role === "assistant") + 1);
  const results = added.filter(({ role }) => role === "tool");
  const last = added.filter(({ role }) => role === "user").slice(-1);
  return { ...createTurn([...results, ...last], param), earlierMessages: [] };
}

/** Creates the turn of new messages. Results without a text of the user are shown to people in its place. */
function createTurn(added: readonly ChatMessage[], param: string): Omit<ClientTurn, "earlierMessages"> {
  checkSizes(added, param);
  const text = added.findLast(({ role }) => role === "user")?.content;
  const results = added.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
  const message = [text ?? results.join("\n\n"), hasImages(added) ? "[image]" : "[result]"].find(isNotBlank) ?? "";
  const isText = added.length === 1 && added[0]?.role === "user" && !hasImages(added);
  return { message, ...(isText ? {} : { input: added }) };
}

const isNotBlank = (text: string): boolean => text.trim() !== "";

function hasImages(messages: readonly ChatMessage[]): boolean {
  return messages.some((message) => message.role === "user" && message.images !== undefined);
}

/** Throws an `OpenAiError` unless the messages end with tool results, or with a user message that is not empty. */
function checkEnd(messages: readonly ChatMessage[], param: string): void {
  const lastIndex = messages.findLastIndex(({ role }) => role !== "system");
  const last = messages[lastIndex];
  if (last?.role !== "user" && last?.role !== "tool") {
    throw new OpenAiError(400, "invalid_request", `${param}: must end with a user message or tool results`, { param });
  }
  if (last.role === "user" && last.content.trim() === "" && last.images === undefined) {
    const path = `${param}.${lastIndex}.content`;
    throw new OpenAiError(400, "invalid_request", `${path}: must not be empty`, { param: path });
  }
}

/** Throws an `OpenAiError` for a tool result whose call is not among the messages before it. */
function checkResults(messages: readonly ChatMessage[], param: string): void {
  const ids = new Set<string>();
  for (const [i, message] of messages.entries()) {
    if (message.role === "assistant") for (const { id } of message.toolCalls ?? []) ids.add(id);
    if (message.role !== "tool" || ids.has(message.toolCallId)) continue;
    const path = `${param}.${i}`;
    throw new OpenAiError(400, "invalid_request", `${path}: there is no earlier tool call with this id`, {
      param: path,
    });
  }
}

/** Throws an `OpenAiError` (413) if the new messages, besides the text for people, are too large to be stored with it. */
function checkSizes(added: readonly ChatMessage[], param: string): void {
  const last = added.findLast(({ role }) => role === "user");
  const others = added
    .filter((message) => message !== last)
    .map(({ role, ...rest }) => ({ role, ...rest, images: [] }));
  if (exceedsBytes(JSON.stringify(others), MAX_TOOL_BYTES)) {
    throw new OpenAiError(413, "too_large", `${param}: tool calls and results exceed ${MAX_TOOL_BYTES} bytes`, {
      param,
    });
  }
  const urls = added
    .flatMap((message) => (message.role === "user" ? (message.images ?? []) : []))
    .map(({ url }) => url);
  if (urls.join("").length <= MAX_IMAGE_CHARS) return;
  const sentence = `${param}: images exceed ${MAX_IMAGE_CHARS} characters as URLs; use smaller images or https URLs`;
  throw new OpenAiError(413, "too_large", sentence, { param });
}

// The messages that a client sends, divided into the new message and the history before it.

import type { ChatMessage } from "../../core/ports.ts";
import { exceedsBytes } from "../../lib/text-size.ts";
import type { HistoryMessage } from "../client-history.ts";
import { OpenAiError } from "./openai-error.ts";

/** Maximum size of the results of client tools in one message, with their calls, in bytes of JSON. */
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
  return { ...createTurn(added), earlierMessages: [...instructions, ...earlier].filter(hasContent) };
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
  return { ...createTurn([...results, ...last]), earlierMessages: [] };
}

/** Creates the turn of new messages. Results without a text of the user are shown to people in its place. */
function createTurn(added: readonly ChatMessage[]): Omit<ClientTurn, "earlierMessages"> {
  const text = added.findLast(({ role }) => role === "user")?.content;
  const results = added.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
  const message = [text ?? results.join("\n\n"), hasImages(added) ? "[image]" : "[result]"].find(isNotBlank) ?? "";
  const isText = added.every(({ role }) => role === "user") && !hasImages(added);
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
  checkSizes(messages, param);
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

function checkSizes(messages: readonly ChatMessage[], param: string): void {
  const start = messages.findLastIndex(({ role }) => role === "user");
  const toolMessages = messages.slice(start + 1).filter(({ role }) => role === "tool" || role === "assistant");
  if (exceedsBytes(JSON.stringify(toolMessages), MAX_TOOL_BYTES)) {
    throw new OpenAiError(413, "too_large", `${param}: tool calls and results exceed ${MAX_TOOL_BYTES} bytes`, {
      param,
    });
  }
  const last = messages[start];
  const urls = last?.role === "user" ? (last.images ?? []).map(({ url }) => url) : [];
  if (urls.join("").length <= MAX_IMAGE_CHARS) return;
  const sentence = `${param}.${start}: images exceed ${MAX_IMAGE_CHARS} characters as URLs; use smaller images or https URLs`;
  throw new OpenAiError(413, "too_large", sentence, { param: `${param}.${start}` });
}

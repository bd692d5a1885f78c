// The history of interfaces whose clients send the complete conversation with each message. The messages before the
// last one are passed on as context of the new message.

import type { ChatMessage } from "../core/ports.ts";
import { Fault } from "../protocol/wire/fault.ts";

/** One message of the history. Images are not passed on. */
export type HistoryMessage = ChatMessage;

/** Limits in UTF-16 units of JSON. Every task of the message receives the history, so it must be short. */
const MAX_HISTORY_CHARS = 16_000;
const MAX_HISTORY_MESSAGE_CHARS = 4_000;
/** Instructions lose their meaning when they are cut. */
const MAX_SYSTEM_MESSAGE_CHARS = 12_000;
const MAX_HISTORY_MESSAGES = 40;

/**
 * Returns the newest messages that fit the limits, oldest first: at most 40 messages with about 16,000 characters of
 * JSON. System messages have priority and come first. Messages of more than about 4,000 characters are truncated, system messages at 12,000. Tool
 * calls are kept with all of their results, or left out with them.
 */
export function limitHistory(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const selected: HistoryMessage[][] = [];
  let remainingChars = MAX_HISTORY_CHARS;
  let remainingMessages = MAX_HISTORY_MESSAGES;
  const byPriority = [
    ...messages.filter(({ role }) => role === "system").map((message) => [message]),
    ...groupToolMessages(messages.filter(({ role }) => role !== "system")).toReversed(),
  ];
  for (const group of byPriority) {
    const callChars = measureCalls(group);
    if (remainingChars <= callChars || remainingMessages < group.length) break;
    const limit = isSystem(group) ? MAX_SYSTEM_MESSAGE_CHARS : MAX_HISTORY_MESSAGE_CHARS;
    const maxChars = Math.min((remainingChars - callChars) / group.length, limit);
    const limited = group.map((message) => truncateMessage(message, maxChars));
    remainingChars -= callChars + limited.reduce((sum, { content }) => sum + measureJson(content), 0);
    remainingMessages -= group.length;
    selected.push(limited);
  }
  return [...selected.filter(isSystem), ...selected.filter((group) => !isSystem(group)).toReversed()].flat();
}

const isSystem = ([first]: readonly HistoryMessage[]): boolean => first?.role === "system";

/** Groups each message with calls and the tool results behind it; all other messages are groups of their own. */
function groupToolMessages(messages: readonly HistoryMessage[]): HistoryMessage[][] {
  const groups: HistoryMessage[][] = [];
  for (const message of messages) {
    if (message.role === "tool") groups.at(-1)?.push(message);
    else groups.push([message]);
  }
  return groups;
}

function measureCalls(group: readonly HistoryMessage[]): number {
  return group.reduce(
    (sum, message) => sum + ("toolCalls" in message ? JSON.stringify(message.toolCalls).length : 0),
    0,
  );
}

/** Returns the message with its text truncated and without images. */
function truncateMessage(message: HistoryMessage, maxChars: number): HistoryMessage {
  const content = truncateToJsonLength(message.content, maxChars);
  return message.role === "user" ? { role: "user", content } : { ...message, content };
}

/**
 * Truncates a text to about `maxChars` UTF-16 units of JSON, at a word boundary if there is one in the last 64
 * characters.
 */
function truncateToJsonLength(text: string, maxChars: number): string {
  const size = measureJson(text);
  if (size <= maxChars) return text;
  const head = text.slice(0, Math.floor((text.length * (maxChars - 1)) / size));
  const end = /\s\S{0,63}$/.exec(head)?.index ?? head.length;
  return `${head.slice(0, end).toWellFormed()}…`;
}

const measureJson = (text: string): number => JSON.stringify(text).length;

/**
 * Returns a copy of a fault in which the field `message` is called `messages`, as in the requests of these clients.
 * Returns faults of other fields unchanged.
 */
export function renameMessageField(fault: Fault): Fault {
  if (fault.field !== "message") return fault;
  const sentence = fault.message.replace(/^message:/, "messages:");
  return new Fault(fault.code, sentence, { ...fault.detail, field: "messages", cause: fault.cause });
}

// The history of interfaces whose clients send the complete conversation with each message. The messages before the
// last one are passed on as context of the new message.

import { Fault } from "../protocol/wire/fault.ts";

/** One message of the history. */
export type HistoryMessage = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** Limits in UTF-16 units of JSON. Every task of the message receives the history, so it must be short. */
const MAX_HISTORY_CHARS = 16_000;
const MAX_HISTORY_MESSAGE_CHARS = 4_000;
const MAX_HISTORY_MESSAGES = 40;

/**
 * Returns the newest messages that fit the limits, oldest first: at most 40 messages with about 16,000 characters of
 * JSON. System messages have priority and come first. Messages of more than about 4,000 characters are truncated.
 */
export function limitHistory(messages: readonly HistoryMessage[]): HistoryMessage[] {
  const selected: HistoryMessage[] = [];
  let remainingChars = MAX_HISTORY_CHARS;
  const byPriority = [
    ...messages.filter(({ role }) => role === "system"),
    ...messages.filter(({ role }) => role !== "system").toReversed(),
  ];
  for (const message of byPriority) {
    if (remainingChars <= 0 || selected.length >= MAX_HISTORY_MESSAGES) break;
    const content = truncateToJsonLength(message.content, Math.min(remainingChars, MAX_HISTORY_MESSAGE_CHARS));
    remainingChars -= measureJson(content);
    selected.push({ role: message.role, content });
  }
  const systemMessages = selected.filter(({ role }) => role === "system");
  return [...systemMessages, ...selected.filter(({ role }) => role !== "system").toReversed()];
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

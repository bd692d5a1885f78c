// The history of interfaces whose clients send the complete conversation with each message. The messages before the
// last one are passed on as context of the new message.

import { Fault } from "../protocol/fault.ts";

/** One message of the history. */
export type Turn = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** Limits in UTF-16 units of JSON. Every task of the message receives the history, so it must be short. */
const MOST_CHARS = 16_000;
const MOST_CHARS_OF_TURN = 4_000;
const MOST_TURNS = 40;

/**
 * Returns the newest messages that fit the limits, oldest first. System messages have priority and come first. Long
 * messages are truncated.
 */
export function boundedHistory(earlier: readonly Turn[]): Turn[] {
  const kept: Turn[] = [];
  let left = MOST_CHARS;
  const byWorth = [
    ...earlier.filter(({ role }) => role === "system"),
    ...earlier.filter(({ role }) => role !== "system").toReversed(),
  ];
  for (const turn of byWorth) {
    if (left <= 0 || kept.length >= MOST_TURNS) break;
    const content = cut(turn.content, Math.min(left, MOST_CHARS_OF_TURN));
    left -= sizeOf(content);
    kept.push({ role: turn.role, content });
  }
  const instructions = kept.filter(({ role }) => role === "system");
  return [...instructions, ...kept.filter(({ role }) => role !== "system").toReversed()];
}

/**
 * Truncates a text to about `maxChars` UTF-16 units of JSON, at a word boundary if there is one in the last 64
 * characters.
 */
function cut(text: string, most: number): string {
  const size = sizeOf(text);
  if (size <= most) return text;
  const head = text.slice(0, Math.floor((text.length * (most - 1)) / size));
  const end = /\s\S{0,63}$/.exec(head)?.index ?? head.length;
  return `${head.slice(0, end).toWellFormed()}…`;
}

const sizeOf = (text: string): number => JSON.stringify(text).length;

/** Renames the field `message` of a fault to `messages`, which is the field of these clients' requests. */
export function inMessages(fault: Fault): Fault {
  if (fault.field !== "message") return fault;
  const words = fault.message.replace(/^message:/, "messages:");
  return new Fault(fault.code, words, { ...fault.detail, field: "messages", cause: fault.cause });
}

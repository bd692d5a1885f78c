// Doors at which clients send all that was said so far, every time: what was said before goes along as the message's
// context brings it.

import { Fault } from "../protocol/fault.ts";

export type Turn = { readonly role: "system" | "user" | "assistant"; readonly content: string };

/** Every task of the message is given it, so it is kept to what a model needs of it. In UTF-16 units of JSON. */
const MOST_CHARS = 16_000;
const MOST_CHARS_OF_TURN = 4_000;
const MOST_TURNS = 40;

/** The newest turns that fit, oldest first; instructions of the client go before everything else. */
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

/** Cut between words where there are some, and between characters anyway. */
function cut(text: string, most: number): string {
  const size = sizeOf(text);
  if (size <= most) return text;
  const head = text.slice(0, Math.floor((text.length * (most - 1)) / size));
  const end = /\s\S{0,63}$/.exec(head)?.index ?? head.length;
  return `${head.slice(0, end).toWellFormed()}…`;
}

const sizeOf = (text: string): number => JSON.stringify(text).length;

/** Where a request has a list of messages, what is wrong with our message is wrong with them. */
export function inMessages(fault: Fault): Fault {
  if (fault.field !== "message") return fault;
  const words = fault.message.replace(/^message:/, "messages:");
  return new Fault(fault.code, words, { ...fault.detail, field: "messages", cause: fault.cause });
}

// The texts of a conversation for MCP clients, as Markdown.

import { truncateToBytes, countBytes } from "../../lib/text-size.ts";
import { SUPER_AGENT, type EventName } from "../../protocol/wire/events.ts";
import { getItemText, type Item } from "../../protocol/wire/items.ts";

/** The items that are part of the text: messages, answers, questions and failures. */
const TEXT_EVENTS: ReadonlySet<EventName> = new Set<EventName>([
  "thread_started",
  "message_chunk",
  "message",
  "plan_require_user_input",
  "task_waiting",
  "plan_failed",
  "system_failed",
  "task_failed",
  "task_cancelled",
]);

/**
 * Returns the last texts of a conversation, oldest first, each under its author. They have at most `maxBytes` bytes in
 * UTF-8 besides the title; a note says whether earlier ones are missing.
 */
export function formatConversationText(title: string, items: readonly Item[], maxBytes: number): string {
  const sections = items.filter(({ event }) => TEXT_EVENTS.has(event)).map(formatItem);
  const lastSections: string[] = [];
  let remainingBytes = maxBytes;
  for (const section of sections.toReversed()) {
    remainingBytes -= countBytes(section) + 2;
    if (remainingBytes < 0) break;
    lastSections.unshift(section);
  }
  const newest = sections.at(-1);
  if (lastSections.length === 0 && newest !== undefined) lastSections.push(truncateToBytes(newest, maxBytes));
  const note = lastSections.length < sections.length ? ["(Earlier messages are left out.)"] : [];
  return [`# ${title}`, ...note, ...lastSections].join("\n\n");
}

function formatItem(item: Item): string {
  return `## ${getAuthor(item)}\n\n${getItemText(item)}`;
}

function getAuthor({ role, agent_name: agent }: Item): string {
  if (role === "user") return "User";
  return agent === undefined || agent === SUPER_AGENT ? "Orrery" : agent;
}

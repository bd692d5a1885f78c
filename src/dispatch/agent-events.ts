// Operations on the events and texts of an agent.

import type { Part } from "@a2a-js/sdk";
import * as z from "zod";
import { agentEventSchema, type AgentEvent } from "../protocol/agents/agent.ts";
import { createAgentFailure } from "./agent-failure.ts";

const eventsSchema = z.array(agentEventSchema);

/** Appends an event to `events`, in place. Text and reasoning are joined with an event of the same type before them. */
export function appendEvent(events: AgentEvent[], event: AgentEvent): void {
  const last = events.at(-1);
  if ((event.type === "text" || event.type === "reasoning") && last?.type === event.type) {
    events[events.length - 1] = { type: event.type, text: last.text + event.text };
  } else {
    events.push(event);
  }
}

/** Parses events of our extension. Throws a `Failure` (`agent_protocol`) for anything else. */
export function parseEvents(value: unknown): AgentEvent[] {
  const parsed = eventsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw createAgentFailure("agent_protocol", "agent.invalidEvent", parsed.error);
}

/** Returns the texts of all text parts without separators; "" if there are none. */
export function joinTextParts(parts: readonly Part[]): string {
  return parts.map((part) => (part.content?.$case === "text" ? part.content.value : "")).join("");
}

/** Maximum length, in UTF-16 units, of the end of a text that is compared and stored. */
export const MAX_COMPARED_CHARS = 4_096;

/**
 * Returns the last `MAX_COMPARED_CHARS` of the trimmed text. Repeated messages are recognized by them, so that no more
 * text need be stored to continue after a crash.
 */
export function getTextEnd(text: string): string {
  return text.trim().slice(-MAX_COMPARED_CHARS);
}

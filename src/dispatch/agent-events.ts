// Operations on the events and texts of an agent.

import type { Part } from "@a2a-js/sdk";
import * as z from "zod";
import { agentEventSchema, type AgentEvent } from "../protocol/agents/agent.ts";
import { AgentFailure } from "./agent-failure.ts";

const eventsSchema = z.array(agentEventSchema);

/** Appends an event. Text and reasoning are joined with an event of the same type before them. */
export function appendEvent(events: AgentEvent[], event: AgentEvent): void {
  const last = events.at(-1);
  if ((event.type === "text" || event.type === "reasoning") && last?.type === event.type) {
    events[events.length - 1] = { type: event.type, text: last.text + event.text };
  } else {
    events.push(event);
  }
}

/** Parses events of our extension. Throws an `AgentFailure` (`agent_protocol`) for anything else. */
export function parseEvents(value: unknown): AgentEvent[] {
  const parsed = eventsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AgentFailure("agent_protocol", "The agent sent an event that cannot be read.", parsed.error);
}

/** Concatenates the text parts. */
export function joinTextParts(parts: readonly Part[]): string {
  return parts.map((part) => (part.content?.$case === "text" ? part.content.value : "")).join("");
}

/** Maximum characters at the end of a text that are compared and stored. */
export const MAX_COMPARED_CHARS = 4_096;

/**
 * Returns the end of a text. It suffices to recognize a repeated message; no more is stored for the time after a
 * crash.
 */
export function getTextEnd(words: string): string {
  return words.trim().slice(-MAX_COMPARED_CHARS);
}

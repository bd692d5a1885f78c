// What an agent said, piece by piece.

import type { Part } from "@a2a-js/sdk";
import * as z from "zod";
import { agentEventSchema, type AgentEvent } from "../protocol/agent.ts";
import { AgentFailure } from "./failure.ts";

const eventsSchema = z.array(agentEventSchema);

/** Adds an event, joined to the one before if both are text or both reasoning. */
export function push(events: AgentEvent[], event: AgentEvent): void {
  const last = events.at(-1);
  if ((event.type === "text" || event.type === "reasoning") && last?.type === event.type) {
    events[events.length - 1] = { type: event.type, text: last.text + event.text };
  } else {
    events.push(event);
  }
}

export function parseEvents(value: unknown): AgentEvent[] {
  const parsed = eventsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new AgentFailure("agent_protocol", "The agent sent an event that cannot be read.", parsed.error);
}

export function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.content?.$case === "text" ? part.content.value : "")).join("");
}

/** Of what was said, what tells whether a message repeats it. */
export const MAX_SAID = 4_096;

/** The end of what was said: after a crash no more of it is known. */
export function endOf(words: string): string {
  return words.trim().slice(-MAX_SAID);
}

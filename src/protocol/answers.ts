// What the HTTP calls answer besides single conversations, agents and events.

import * as z from "zod";
import { agentSchema } from "./agent.ts";
import { conversationSchema } from "./conversation.ts";
import { scheduleSchema } from "./recurring.ts";

export const agentsSchema = z.object({ agents: z.array(agentSchema) });

/** Newest first; `next_cursor` asks for the next page and is missing on the last. */
export const conversationPageSchema = z.object({
  conversations: z.array(conversationSchema),
  next_cursor: z.string().nullish(),
});
export type ConversationPage = z.infer<typeof conversationPageSchema>;

/** As `conversationPageSchema`, in the order in which they were set up. */
export const schedulePageSchema = z.object({
  schedules: z.array(scheduleSchema),
  next_cursor: z.string().nullish(),
});
export type SchedulePage = z.infer<typeof schedulePageSchema>;

/** Opens one socket of one conversation, once; `expires_at` is in milliseconds since the epoch. */
export const ticketSchema = z.object({ ticket: z.string(), expires_at: z.number() });
export type Ticket = z.infer<typeof ticketSchema>;

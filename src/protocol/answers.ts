// What the HTTP calls answer besides single conversations, agents and events.

import * as z from "zod";
import { agentSchema } from "./agent.ts";
import { conversationSchema } from "./conversation.ts";

export const agentsSchema = z.object({ agents: z.array(agentSchema) });

/** Newest first; `next_cursor` asks for the next page and is missing on the last. */
export const conversationPageSchema = z.object({
  conversations: z.array(conversationSchema),
  next_cursor: z.string().nullish(),
});
export type ConversationPage = z.infer<typeof conversationPageSchema>;

/** Opens one socket of one conversation, once; `expires_at` is in milliseconds since the epoch. */
export const ticketSchema = z.object({ ticket: z.string(), expires_at: z.number() });
export type Ticket = z.infer<typeof ticketSchema>;

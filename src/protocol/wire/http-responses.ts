// Schemas of HTTP responses: lists and pages, tickets, and health.

import * as z from "zod";
import { agentSchema } from "../agents/agent.ts";
import { conversationInfoSchema } from "./conversation-info.ts";
import { frameSchema, roleSchema } from "./events.ts";
import { planSchema, taskSchema } from "../plans/task-plan.ts";

export const agentListSchema = z.object({ agents: z.array(agentSchema) });

/** Conversations, newest first. `next_cursor` requests the next page and is absent on the last one. */
export const conversationListSchema = z.object({
  conversations: z.array(conversationInfoSchema),
  next_cursor: z.string().nullish(),
});
export type ConversationList = z.infer<typeof conversationListSchema>;

/** Events in the order of `seq`. `next` is the query parameter `after` of the next page. */
export const eventListSchema = z.object({ events: z.array(frameSchema), next: z.int() });

/** An item of the history. `created_at` is in ms since the epoch. */
export const itemSchema = z.object({
  item_id: z.string(),
  seq: z.int(),
  event: z.string(),
  role: roleSchema,
  conversation_id: z.string(),
  thread_id: z.string().optional(),
  task_id: z.string().optional(),
  agent_name: z.string().optional(),
  payload: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()),
  created_at: z.number(),
});
export const itemListSchema = z.object({ items: z.array(itemSchema) });

export const planListSchema = z.object({ plans: z.array(planSchema) });
export const taskListSchema = z.object({ tasks: z.array(taskSchema) });

/** The position of an accepted command: its conversation, its thread, and the `seq` of its message. */
export const acceptedCommandSchema = z.object({ conversation_id: z.string(), thread_id: z.string(), seq: z.int() });

/** The ids of the cancelled tasks. */
export const cancelledTasksSchema = z.object({ cancelled: z.array(z.string()) });

/** A ticket that opens one socket of one conversation, once. `expires_at` is in ms since the epoch. */
export const socketTicketSchema = z.object({ ticket: z.string(), expires_at: z.number() });
export type SocketTicket = z.infer<typeof socketTicketSchema>;

export const healthSchema = z.object({
  status: z.enum(["ok", "unavailable"]),
  /** The missing part of the deployment if `status` is `unavailable`. */
  missing: z.string().optional(),
  /** `none`: no model is configured, and `name` is empty. */
  model: z.object({ name: z.string(), kind: z.enum(["openai", "embedded", "none"]) }),
  /** `local`: no token is required, and all requests belong to the same user. */
  auth: z.enum(["local", "secret", "jwks"]),
});
export type Health = z.infer<typeof healthSchema>;

// The schema of a conversation and of its creation and update.

import * as z from "zod";
import { sendCommandSchema } from "./commands.ts";
import { titleSchema } from "../../lib/title.ts";

/** The status of a conversation (X7). */
export const conversationStatusSchema = z.enum(["active", "require_user_input", "completed", "failed", "inactive"]);

/** A conversation. Times are in ms since the epoch. */
export const conversationInfoSchema = z.object({
  conversation_id: z.string(),
  user_id: z.string(),
  title: z.string().optional(),
  agent_name: z.string().optional(),
  /** For the sub-conversation of a task: the id of the conversation with the task's thread. */
  parent_id: z.string().optional(),
  status: conversationStatusSchema,
  created_at: z.number(),
  updated_at: z.number(),
});
export type ConversationInfo = z.infer<typeof conversationInfoSchema>;

/** The search text for titles. */
export const titleSearchSchema = z.string().max(200);

export const createConversationSchema = z.strictObject({
  title: titleSchema.optional(),
  message: sendCommandSchema.shape.message.optional(),
});
export type CreateConversationRequest = z.infer<typeof createConversationSchema>;

/** An update of title, status or both. Clients can set only the statuses `active` and `inactive`. */
export const updateConversationSchema = z.strictObject({
  title: titleSchema.optional(),
  status: z.enum(["active", "inactive"]).optional(),
});
export type UpdateConversationRequest = z.infer<typeof updateConversationSchema>;

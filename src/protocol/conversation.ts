// The schema of a conversation and of its creation and update.

import * as z from "zod";
import { sendSchema } from "./commands.ts";
import { titleSchema } from "./title.ts";

/** The status of a conversation. `waiting_user` is an alias of `require_user_input` in updates (X7). */
export const conversationStatusSchema = z.enum(["active", "require_user_input", "completed", "failed", "inactive"]);

export const conversationSchema = z.object({
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
export type Conversation = z.infer<typeof conversationSchema>;

/** The search text for titles. */
export const titleWordsSchema = z.string().max(200);

export const createConversationSchema = z.strictObject({
  title: titleSchema.optional(),
  message: sendSchema.shape.message.optional(),
});
export type CreateConversation = z.infer<typeof createConversationSchema>;

/** An update of title or status. Only `active` and `inactive` can be set. */
export const updateConversationSchema = z.strictObject({
  title: titleSchema.optional(),
  status: z
    .union([z.literal("waiting_user").transform(() => "require_user_input" as const), conversationStatusSchema])
    .pipe(z.enum(["active", "inactive"]))
    .optional(),
});
export type UpdateConversation = z.infer<typeof updateConversationSchema>;

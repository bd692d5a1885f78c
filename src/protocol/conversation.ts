import * as z from "zod";
import { sendSchema } from "./commands.ts";
import { titleSchema } from "./title.ts";

/** `waiting_user` is read as `require_user_input` (X7). */
export const conversationStatusSchema = z.enum(["active", "require_user_input", "completed", "failed", "inactive"]);

export const conversationSchema = z.object({
  conversation_id: z.string(),
  user_id: z.string(),
  title: z.string().optional(),
  agent_name: z.string().optional(),
  /** Set for the sub-conversation of a task: the conversation whose thread it belongs to. */
  parent_id: z.string().optional(),
  status: conversationStatusSchema,
  created_at: z.number(),
  updated_at: z.number(),
});
export type Conversation = z.infer<typeof conversationSchema>;

/** Words to look for in titles. */
export const titleWordsSchema = z.string().max(200);

export const createConversationSchema = z.strictObject({
  title: titleSchema.optional(),
  message: sendSchema.shape.message.optional(),
});
export type CreateConversation = z.infer<typeof createConversationSchema>;

export const updateConversationSchema = z.strictObject({
  title: titleSchema.optional(),
  status: z
    .union([z.literal("waiting_user").transform(() => "require_user_input" as const), conversationStatusSchema])
    .pipe(z.enum(["active", "inactive"]))
    .optional(),
});
export type UpdateConversation = z.infer<typeof updateConversationSchema>;

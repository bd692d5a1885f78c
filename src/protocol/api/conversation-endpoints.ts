// The endpoints of conversations and of their content.

import * as z from "zod";
import { taskSchema, taskStatusSchema } from "../plans/task-plan.ts";
import { sendCommandSchema } from "../wire/commands.ts";
import {
  conversationInfoSchema,
  createConversationSchema,
  titleSearchSchema,
  updateConversationSchema,
} from "../wire/conversation-info.ts";
import type { Frame } from "../wire/events.ts";
import {
  acceptedCommandSchema,
  cancelledTasksSchema,
  conversationListSchema,
  eventListSchema,
  itemListSchema,
  planListSchema,
  socketTicketSchema,
  taskListSchema,
} from "../wire/http-responses.ts";
import type { Item } from "../wire/items.ts";
import { questionContextSchema } from "../wire/question.ts";
import { defineEndpoints, pageQuerySchema } from "./endpoint.ts";

export const conversationEndpoints = defineEndpoints({
  /** Creates a conversation and, with `message`, sends it the first message. */
  createConversation: {
    method: "post",
    path: "/api/v1/conversations",
    body: createConversationSchema,
    output: conversationInfoSchema,
  },
  /**
   * Lists conversations, last updated first. `q`: titles that contain all its words. `top`: only conversations that the
   * user started, without those of tasks and of plan instances.
   */
  listConversations: {
    method: "get",
    path: "/api/v1/conversations",
    query: pageQuerySchema.extend({ q: titleSearchSchema.optional(), top: z.boolean().optional() }),
    output: conversationListSchema,
  },
  readConversation: { method: "get", path: "/api/v1/conversations/{id}", output: conversationInfoSchema },
  updateConversation: {
    method: "patch",
    path: "/api/v1/conversations/{id}",
    body: updateConversationSchema,
    output: conversationInfoSchema,
  },
  /** Deletes a conversation with its content and schedules. The pages that were built in it remain. */
  deleteConversation: {
    method: "delete",
    path: "/api/v1/conversations/{id}",
    output: z.object({ conversation_id: z.string(), deleted: z.literal(true) }),
  },
  send: {
    method: "post",
    path: "/api/v1/conversations/{id}/messages",
    body: sendCommandSchema,
    isCommand: true,
    output: acceptedCommandSchema,
  },
  /** Creates a ticket that opens one socket of the conversation, once. Browsers cannot set headers on sockets. */
  issueTicket: {
    method: "post",
    path: "/api/v1/tickets",
    body: z.strictObject({ conversation_id: z.string() }),
    output: socketTicketSchema,
  },
  /** Returns the events with a `seq` greater than `after`, oldest first. `next` is the next `after`. */
  events: {
    method: "get",
    path: "/api/v1/conversations/{id}/events",
    query: z.strictObject({ after: z.int().min(0).default(0), limit: z.int().min(1).max(10_000).default(1_000) }),
    output: eventListSchema as unknown as z.ZodType<{ events: Frame[]; next: number }>,
  },
  /** Returns the items in the order of their first events. */
  items: {
    method: "get",
    path: "/api/v1/conversations/{id}/items",
    output: itemListSchema as unknown as z.ZodType<{ items: Item[] }>,
  },
  /** Returns all plans with the current state of their tasks. */
  plans: { method: "get", path: "/api/v1/conversations/{id}/plans", output: planListSchema },
  /** Returns the tasks of all plans, or those with this status. */
  tasks: {
    method: "get",
    path: "/api/v1/conversations/{id}/tasks",
    query: z.strictObject({ status: taskStatusSchema.optional() }),
    output: taskListSchema,
  },
  /** Returns the open questions, and the stage at which each thread waits. */
  context: { method: "get", path: "/api/v1/conversations/{id}/context", output: questionContextSchema },
  /** Returns a task by its id alone. */
  task: { method: "get", path: "/api/v1/tasks/{id}", output: taskSchema },
  /** Cancels a task, or ends the schedule of a recurring task. `conflict` if it has ended. */
  cancelTask: { method: "post", path: "/api/v1/tasks/{id}/cancel", output: cancelledTasksSchema },
});

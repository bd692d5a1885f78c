// HTTP routes of conversations: create, list, read, update, delete.

import * as z from "zod";
import { conversationListSchema } from "../../protocol/wire/http-responses.ts";
import {
  conversationInfoSchema,
  createConversationSchema,
  titleSearchSchema,
  updateConversationSchema,
} from "../../protocol/wire/conversation-info.ts";
import { defineRoute, booleanParameter, createIntegerParameter } from "../define-route.ts";

const conversationResponse = { status: 200, description: "The conversation", schema: conversationInfoSchema };

export const conversationRoutes = [
  defineRoute({
    method: "post",
    path: "/api/v1/conversations",
    tag: "Conversations",
    summary: "Create a conversation, with an optional first message",
    body: createConversationSchema,
    example: { title: "Morning report", message: "hello" },
    answer: { ...conversationResponse, status: 201 },
    handle: ({ operations, body }) => operations.createConversation(body),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/conversations",
    tag: "Conversations",
    summary:
      "List your conversations, last updated first; `q` selects titles with all its words, `top` those that you started yourself",
    query: z.strictObject({
      limit: createIntegerParameter(20, { min: 1, max: 100 }),
      cursor: z.string().optional(),
      q: titleSearchSchema.optional(),
      top: booleanParameter.optional(),
    }),
    answer: {
      status: 200,
      description: "A page of conversations",
      schema: conversationListSchema,
    },
    handle: ({ operations, query }) =>
      operations.listConversations(query.limit, query.cursor, { text: query.q, isTop: query.top }),
  }),
  defineRoute({
    method: "get",
    path: "/api/v1/conversations/{id}",
    tag: "Conversations",
    summary: "Get a conversation",
    answer: conversationResponse,
    handle: ({ operations, params }) => operations.readConversation(params.id),
  }),
  defineRoute({
    method: "patch",
    path: "/api/v1/conversations/{id}",
    tag: "Conversations",
    summary: "Rename a conversation, or set it to active or inactive",
    body: updateConversationSchema,
    example: { title: "Evening report" },
    answer: conversationResponse,
    handle: ({ operations, params, body }) => operations.updateConversation(params.id, body),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/conversations/{id}",
    tag: "Conversations",
    summary: "Delete a conversation with its content",
    answer: {
      status: 200,
      description: "The conversation was deleted",
      schema: z.object({ conversation_id: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ operations, params }) => operations.deleteConversation(params.id),
  }),
];

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
    summary: "Create a conversation, and send it a first message if there is one",
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
      "Your conversations, newest first: those with all words of `q` in their title; with `top`, only those that you began yourself",
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
    summary: "One conversation",
    answer: conversationResponse,
    handle: ({ operations, params }) => operations.readConversation(params.id),
  }),
  defineRoute({
    method: "patch",
    path: "/api/v1/conversations/{id}",
    tag: "Conversations",
    summary: "Rename a conversation, or put it aside",
    body: updateConversationSchema,
    example: { title: "Evening report" },
    answer: conversationResponse,
    handle: ({ operations, params, body }) => operations.updateConversation(params.id, body),
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/conversations/{id}",
    tag: "Conversations",
    summary: "Delete a conversation with everything in it",
    answer: {
      status: 200,
      description: "It is gone",
      schema: z.object({ conversation_id: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ operations, params }) => operations.deleteConversation(params.id),
  }),
];

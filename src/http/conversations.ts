// HTTP routes of conversations: create, list, read, update, delete.

import * as z from "zod";
import { conversationPageSchema } from "../protocol/answers.ts";
import {
  conversationSchema,
  createConversationSchema,
  titleWordsSchema,
  updateConversationSchema,
} from "../protocol/conversation.ts";
import { route, trueOrFalse, wholeNumber } from "./route.ts";

const conversation = { status: 200, description: "The conversation", schema: conversationSchema };

export const conversationRoutes = [
  route({
    method: "post",
    path: "/api/v1/conversations",
    tag: "Conversations",
    summary: "Create a conversation, and send it a first message if there is one",
    body: createConversationSchema,
    example: { title: "Morning report", message: "hello" },
    answer: { ...conversation, status: 201 },
    handle: ({ verbs, body }) => verbs.createConversation(body),
  }),
  route({
    method: "get",
    path: "/api/v1/conversations",
    tag: "Conversations",
    summary:
      "Your conversations, newest first: those with all words of `q` in their title; with `top`, only those that you began yourself",
    query: z.strictObject({
      limit: wholeNumber(20, { min: 1, max: 100 }),
      cursor: z.string().optional(),
      q: titleWordsSchema.optional(),
      top: trueOrFalse.optional(),
    }),
    answer: {
      status: 200,
      description: "A page of conversations",
      schema: conversationPageSchema,
    },
    handle: ({ verbs, query }) =>
      verbs.listConversations(query.limit, query.cursor, { text: query.q, isTop: query.top }),
  }),
  route({
    method: "get",
    path: "/api/v1/conversations/{id}",
    tag: "Conversations",
    summary: "One conversation",
    answer: conversation,
    handle: ({ verbs, params }) => verbs.readConversation(params.id),
  }),
  route({
    method: "patch",
    path: "/api/v1/conversations/{id}",
    tag: "Conversations",
    summary: "Rename a conversation, or put it aside",
    body: updateConversationSchema,
    example: { title: "Evening report" },
    answer: conversation,
    handle: ({ verbs, params, body }) => verbs.updateConversation(params.id, body),
  }),
  route({
    method: "delete",
    path: "/api/v1/conversations/{id}",
    tag: "Conversations",
    summary: "Delete a conversation with everything in it",
    answer: {
      status: 200,
      description: "It is gone",
      schema: z.object({ conversation_id: z.string(), deleted: z.literal(true) }),
    },
    handle: ({ verbs, params }) => verbs.deleteConversation(params.id),
  }),
];

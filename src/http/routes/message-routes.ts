// HTTP routes that send messages, answer questions and cancel threads.

import * as z from "zod";
import { cancelledTasksSchema } from "../../protocol/wire/http-responses.ts";
import {
  cancelCommandSchema,
  commandIdSchema,
  resumeCommandSchema,
  sendCommandSchema,
} from "../../protocol/wire/commands.ts";
import { acceptedResponse, respondWithThread, resolveCommandId } from "./thread-response.ts";
import { defineRoute } from "../define-route.ts";

const id = commandIdSchema.optional();
const headers = {
  "idempotency-key": "Same as `id` in the body: a repeated command with the same id is executed once.",
};

export const messageRoutes = [
  defineRoute({
    method: "post",
    path: "/api/v1/messages",
    tag: "Talking",
    summary: "Send a message to a new conversation, or to the one with `conversation_id`",
    body: sendCommandSchema.extend({ conversation_id: z.string().optional(), id }),
    headers,
    example: { message: "What is 12 * 34, and what day is it today?" },
    answer: acceptedResponse,
    streams: true,
    async handle(call) {
      const { conversation_id: conversation, id: bodyId, ...message } = call.body;
      return respondWithThread(
        call,
        await call.operations.start(conversation, message, resolveCommandId(call.request, bodyId)),
      );
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/conversations/{id}/messages",
    tag: "Talking",
    summary: "Send a message to a conversation",
    body: sendCommandSchema.extend({ id }),
    headers,
    example: { message: "首先查询现在时间然后计算678乘以8776的结果", timezone: "Asia/Shanghai" },
    answer: acceptedResponse,
    streams: true,
    async handle(call) {
      const { id: bodyId, ...message } = call.body;
      return respondWithThread(
        call,
        await call.operations.send(call.params.id, message, resolveCommandId(call.request, bodyId)),
      );
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/conversations/{id}/resume",
    tag: "Talking",
    summary: "Answer an open question of a conversation",
    body: resumeCommandSchema.extend({ id }),
    headers,
    example: { message: "Yes, every morning at nine." },
    answer: acceptedResponse,
    streams: true,
    async handle(call) {
      const { id: bodyId, ...reply } = call.body;
      return respondWithThread(
        call,
        await call.operations.resume(call.params.id, reply, resolveCommandId(call.request, bodyId)),
      );
    },
  }),
  defineRoute({
    method: "post",
    path: "/api/v1/conversations/{id}/cancel",
    tag: "Talking",
    summary: "Cancel a thread or a task; without a target, the oldest open message",
    body: cancelCommandSchema.extend({ id }),
    headers,
    example: {},
    answer: {
      status: 200,
      description: "The id of the cancelled thread or task, in a list",
      schema: cancelledTasksSchema,
    },
    handle({ operations, params, body, request }) {
      const { id: bodyId, ...target } = body;
      return operations.cancel(params.id, target, resolveCommandId(request, bodyId));
    },
  }),
];

// HTTP routes that send messages, answer questions and cancel threads.

import * as z from "zod";
import { cancelledSchema } from "../protocol/answers.ts";
import { cancelSchema, commandIdSchema, resumeSchema, sendSchema } from "../protocol/commands.ts";
import { accepted, answerWithThread, commandId } from "./accepted.ts";
import { route } from "./route.ts";

const id = commandIdSchema.optional();
const headers = { "idempotency-key": "The same as `id` in the body: a command that comes again is carried out once." };

export const messageRoutes = [
  route({
    method: "post",
    path: "/api/v1/messages",
    tag: "Talking",
    summary: "Send a message to a new conversation, or to one of your own naming",
    body: sendSchema.extend({ conversation_id: z.string().optional(), id }),
    headers,
    example: { message: "What is 12 * 34, and what day is it today?" },
    answer: accepted,
    streams: true,
    async handle(call) {
      const { conversation_id: conversation, id: given, ...message } = call.body;
      return answerWithThread(call, await call.verbs.start(conversation, message, commandId(call.request, given)));
    },
  }),
  route({
    method: "post",
    path: "/api/v1/conversations/{id}/messages",
    tag: "Talking",
    summary: "Send a message",
    body: sendSchema.extend({ id }),
    headers,
    example: { message: "首先查询现在时间然后计算678乘以8776的结果", timezone: "Asia/Shanghai" },
    answer: accepted,
    streams: true,
    async handle(call) {
      const { id: given, ...message } = call.body;
      return answerWithThread(call, await call.verbs.send(call.params.id, message, commandId(call.request, given)));
    },
  }),
  route({
    method: "post",
    path: "/api/v1/conversations/{id}/resume",
    tag: "Talking",
    summary: "Answer the question that a conversation waits for",
    body: resumeSchema.extend({ id }),
    headers,
    example: { message: "Yes, every morning at nine." },
    answer: accepted,
    streams: true,
    async handle(call) {
      const { id: given, ...reply } = call.body;
      return answerWithThread(call, await call.verbs.resume(call.params.id, reply, commandId(call.request, given)));
    },
  }),
  route({
    method: "post",
    path: "/api/v1/conversations/{id}/cancel",
    tag: "Talking",
    summary: "Stop a thread or one of its tasks; without a target, the thread that runs",
    body: cancelSchema.extend({ id }),
    headers,
    example: {},
    answer: { status: 200, description: "What was stopped", schema: cancelledSchema },
    handle({ verbs, params, body, request }) {
      const { id: given, ...target } = body;
      return verbs.cancel(params.id, target, commandId(request, given));
    },
  }),
];

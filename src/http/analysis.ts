import * as z from "zod";
import {
  analysisReplySchema,
  analysisRequestSchema,
  pageRequestSchema,
  workflowReplySchema,
  workflowRequestSchema,
} from "../protocol/analysis.ts";
import { route } from "./route.ts";
import { sseResponse } from "./sse.ts";

/** As the clients of these endpoints have it. */
const refusal = "unprocessable";
const tag = "Analysis";
const teacherId = "t-001";

export const analysisRoutes = [
  route({
    method: "post",
    path: "/api/conversation",
    tag,
    summary: "Say something about data: it is answered, asked back about, or planned as a page",
    body: analysisRequestSchema,
    refusal,
    example: { message: "Compare 1A and 1B on the last assignment", language: "en", teacherId },
    answer: { status: 200, description: "What was understood, and the answer", schema: analysisReplySchema },
    handle: ({ verbs, body }) => verbs.analyse(body),
  }),
  route({
    method: "post",
    path: "/api/workflow/generate",
    tag,
    summary: "Plan a page: its blueprint, without the talk",
    body: workflowRequestSchema,
    refusal,
    example: { userPrompt: "Compare 1A and 1B on the last assignment", language: "en", teacherId },
    answer: { status: 200, description: "The blueprint, and which model wrote it", schema: workflowReplySchema },
    handle: ({ verbs, body }) => verbs.planPage(body),
  }),
  route({
    method: "post",
    path: "/api/page/generate",
    tag,
    summary: "Make a page: of a blueprint, or of what was agreed on in a conversation",
    body: pageRequestSchema,
    refusal,
    example: { conversationId: "conv-8f14e45fceea467f9c1b2d3e4f5a6b7c" },
    answer: {
      status: 200,
      description: "Events, the last of them COMPLETE",
      schema: z.string(),
      type: "text/event-stream",
    },
    handle: async ({ verbs, body }) => sseResponse(await verbs.generatePage(body)),
  }),
];

// HTTP routes of the analyst. Their paths, member names (camelCase) and status codes follow an existing interface, so
// they differ from the other routes.

import * as z from "zod";
import {
  analysisReplySchema,
  analysisRequestSchema,
  pageRequestSchema,
  workflowReplySchema,
  workflowRequestSchema,
} from "../protocol/analysis.ts";
import { parseWith } from "../protocol/fault.ts";
import { jsonSchema } from "../protocol/json.ts";
import { route } from "./route.ts";
import { sseResponse } from "./sse.ts";

/** The clients of these routes expect 422, not 400, for a body that does not match the schema. */
const endpoint = { method: "post", tag: "Analysis", refusal: "unprocessable" } as const;

/** Returns the body unchanged. Throws `unprocessable` if it is nested more deeply than RPC to the analyst allows. */
function carried<T extends object>(body: T): T {
  parseWith(z.record(z.string(), jsonSchema), body, endpoint.refusal);
  return body;
}

const message = "Compare 1A and 1B on the last assignment";
const about = { language: "en", teacherId: "t-001" };

export const analysisRoutes = [
  route({
    ...endpoint,
    path: "/api/conversation",
    summary: "Say something about data: it is answered, asked back about, or planned as a page",
    body: analysisRequestSchema,
    example: { message, ...about },
    answer: { status: 200, description: "What was understood, and the answer", schema: analysisReplySchema },
    handle: ({ verbs, body }) => verbs.analyse(carried(body)),
  }),
  route({
    ...endpoint,
    path: "/api/workflow/generate",
    summary: "Plan a page: its blueprint, without the talk",
    body: workflowRequestSchema,
    example: { userPrompt: message, ...about },
    answer: { status: 200, description: "The blueprint, and which model wrote it", schema: workflowReplySchema },
    handle: ({ verbs, body }) => verbs.planPage(carried(body)),
  }),
  route({
    ...endpoint,
    path: "/api/page/generate",
    summary: "Make a page: of a blueprint, or of what was agreed on in a conversation",
    body: pageRequestSchema,
    example: { conversationId: "conv-8f14e45fceea467f9c1b2d3e4f5a6b7c" },
    answer: {
      status: 200,
      description: "Events, the last of them COMPLETE",
      schema: z.string(),
      type: "text/event-stream",
    },
    handle: async ({ verbs, body }) => sseResponse(await verbs.generatePage(carried(body))),
  }),
];

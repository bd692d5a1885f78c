// HTTP routes of the analyst. Their paths, member names (camelCase) and status codes follow an existing interface, so
// they differ from the other routes.

import * as z from "zod";
import {
  analysisReplySchema,
  analysisRequestSchema,
  pageRequestSchema,
  blueprintReplySchema,
  blueprintRequestSchema,
} from "../../protocol/pages/analysis-api.ts";
import { parseOrThrow } from "../../protocol/wire/fault.ts";
import { jsonValueSchema } from "../../lib/json-value.ts";
import { defineRoute } from "../define-route.ts";
import { createSseResponse } from "../sse.ts";

/** The clients of these routes expect 422, not 400, for a body that does not match the schema. */
const endpointDefaults = { method: "post", tag: "Analysis", refusal: "unprocessable" } as const;

/** Returns the body unchanged. Throws `unprocessable` if it is nested more deeply than RPC to the analyst allows. */
function checkDepth<T extends object>(body: T): T {
  parseOrThrow(z.record(z.string(), jsonValueSchema), body, endpointDefaults.refusal);
  return body;
}

const message = "Compare classes 1A and 1B in the last assignment";
const exampleContext = { language: "en", teacherId: "t-001" };

export const analysisRoutes = [
  defineRoute({
    ...endpointDefaults,
    path: "/api/conversation",
    summary: "Send a message about data; the reply is an answer, a question, or the plan of a page",
    body: analysisRequestSchema,
    example: { message, ...exampleContext },
    answer: {
      status: 200,
      description: "The classification of the message, and the reply",
      schema: analysisReplySchema,
    },
    handle: ({ operations, body }) => operations.analyse(checkDepth(body)),
  }),
  defineRoute({
    ...endpointDefaults,
    path: "/api/workflow/generate",
    summary: "Plan a page without a conversation",
    body: blueprintRequestSchema,
    example: { userPrompt: message, ...exampleContext },
    answer: {
      status: 200,
      description: "The blueprint, and the name of the model that wrote it",
      schema: blueprintReplySchema,
    },
    handle: ({ operations, body }) => operations.planPage(checkDepth(body)),
  }),
  defineRoute({
    ...endpointDefaults,
    path: "/api/page/generate",
    summary: "Build the page of a blueprint, or of the last blueprint of a conversation",
    body: pageRequestSchema,
    example: { conversationId: "conv-8f14e45fceea467f9c1b2d3e4f5a6b7c" },
    answer: {
      status: 200,
      description: "Page events; the last one is `COMPLETE`",
      schema: z.string(),
      type: "text/event-stream",
    },
    handle: async ({ operations, body }) => createSseResponse(await operations.generatePage(checkDepth(body))),
  }),
];

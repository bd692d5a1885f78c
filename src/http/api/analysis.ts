// Operations of the analyst, the agent that builds pages. They call its binding directly, without A2A.

import { createMessage } from "../../language/messages.ts";
import { pageEndpoints, pageStreamEndpoints } from "../../protocol/api/page-endpoints.ts";
import type {
  AnalysisRequestInput,
  AnalystApi,
  BlueprintRequestInput,
  PageRequestInput,
} from "../../protocol/pages/analysis-api.ts";
import { exceedsBytes } from "../../lib/text-size.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { unwrapResult } from "../../protocol/wire/rpc-result.ts";
import { createSseResponse } from "../sse.ts";
import { defineOperation, type Caller } from "./operation.ts";

/** Describes a stream of page events in /openapi.json. */
export const PAGE_STREAM_ANSWER = { answer: "Page events; the last one is `COMPLETE`", type: "text/event-stream" };
const tag = "Analysis";
const example = { message: "Compare classes 1A and 1B in the last assignment", language: "en", teacherId: "t-001" };
const { message: userPrompt, ...exampleContext } = example;

export const analysisOperations = {
  /** Sends a message about data to the analyst. Member names are in camelCase, as at `/api/conversation`. */
  analyse: defineOperation(pageEndpoints.analyse, {
    http: {
      tag,
      summary: "Send a message about data; the reply is an answer, a question, or the plan of a page",
      example,
      answer: "The classification of the message, and the reply",
    },
    rpc: (request: AnalysisRequestInput) => ({ body: request }),
    async run(caller, { body }) {
      checkText(caller, body.message, "message");
      return unwrapResult(await getAnalyst(caller).converse(caller.userId, body));
    },
  }),
  /** Plans a page and returns its blueprint. Stores nothing. */
  planPage: defineOperation(pageEndpoints.planPage, {
    http: {
      tag,
      summary: "Plan a page without a conversation",
      example: { userPrompt, ...exampleContext },
      answer: "The blueprint, and the name of the model that wrote it",
    },
    rpc: (request: BlueprintRequestInput) => ({ body: request }),
    async run(caller, { body }) {
      checkText(caller, body.userPrompt, "userPrompt");
      return unwrapResult(await getAnalyst(caller).plan(caller.userId, body));
    },
  }),
  /** Builds and stores a page. Streams lines of page events; the last is `COMPLETE`. Cancelling it stops the work. */
  generatePage: defineOperation(pageStreamEndpoints.generatePage, {
    http: {
      tag,
      summary: "Build the page of a blueprint, or of the last blueprint of a conversation",
      example: { conversationId: "conv-8f14e45fceea467f9c1b2d3e4f5a6b7c" },
      ...PAGE_STREAM_ANSWER,
    },
    rpc: (request: PageRequestInput) => ({ body: request }),
    run: async (caller, { body }) => unwrapResult(await getAnalyst(caller).generate(caller.userId, body)),
    respond: (lines) => createSseResponse(lines),
  }),
};

/** Returns the binding of the analyst. Throws `unavailable` if the deployment has none. */
export function getAnalyst({ env: { AGENT_ANALYST } }: Caller): AnalystApi {
  if (AGENT_ANALYST === undefined) throw createFault("unavailable", "page.analystMissing");
  return AGENT_ANALYST;
}

/** Throws `unprocessable` for an empty text and `too_large` for a text above the message limit. */
function checkText({ settings: { MAX_MESSAGE_BYTES: maxBytes } }: Caller, text: string, field: string): void {
  if (text.trim() === "") throw createFault("unprocessable", createMessage("field.empty", { field }), { field });
  if (!exceedsBytes(text, maxBytes)) return;
  throw createFault("too_large", createMessage("field.tooLarge", { field, maxBytes }), { field });
}

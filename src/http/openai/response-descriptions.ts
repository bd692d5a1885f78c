// Descriptions of the Responses API for /openapi.json.

import * as z from "zod";
import type { RouteDescription } from "../api/http-route.ts";
import { CONVERSATION_HEADER, openAiDefaults } from "./openai-descriptions.ts";
import { responseSchema, type ResponseObject } from "./response-object.ts";
import { responseRequestSchema } from "./response-request.ts";

const EXAMPLE_ID = `resp_2_${"3f2a".repeat(8)}_conv-${"0".repeat(32)}`;
const exampleResponse: ResponseObject = {
  id: EXAMPLE_ID,
  object: "response",
  created_at: 1_795_305_600,
  status: "completed",
  background: false,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  model: "orrery",
  output: [
    {
      type: "message",
      id: `msg_0_${EXAMPLE_ID.slice("resp_".length)}`,
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: "12 * 34 = 408", annotations: [], logprobs: [] }],
    },
  ],
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: null,
  truncation: "disabled",
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 8,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 108,
  },
};
const answer = { status: 200, description: "The response", schema: responseSchema, example: exampleResponse };
const exampleDelta = {
  type: "response.output_text.delta",
  sequence_number: 4,
  item_id: `msg_0_${EXAMPLE_ID.slice("resp_".length)}`,
  output_index: 0,
  content_index: 0,
  delta: "408",
  logprobs: [],
};

export const CREATE_RESPONSE_DESCRIPTION: RouteDescription = {
  ...openAiDefaults,
  method: "post",
  path: "/v1/responses",
  summary: "Create a response; with `stream: true`, as a stream",
  headers: {
    [CONVERSATION_HEADER]:
      "The id of the conversation to continue, if there is no `previous_response_id`; only the last message is sent to it.",
    "idempotency-key":
      "A repeated request with the same key returns the answer of the first one, without doing the work again. Another request with the same key is refused with 422.",
  },
  body: responseRequestSchema,
  example: { model: "orrery", input: "What is 12 * 34?" },
  answer: {
    ...answer,
    headers: { [CONVERSATION_HEADER]: "The id of the conversation that contains the answer." },
  },
  streams: true,
  stream: {
    description:
      "With `stream: true`: server-sent events, each with its type as name, from `response.created` to the end.",
    example: `event: ${exampleDelta.type}\ndata: ${JSON.stringify(exampleDelta)}\n\n`,
  },
};

export const GET_RESPONSE_DESCRIPTION: RouteDescription = {
  ...openAiDefaults,
  method: "get",
  path: "/v1/responses/{id}",
  summary: "Get a response",
  answer,
};

export const DELETE_RESPONSE_DESCRIPTION: RouteDescription = {
  ...openAiDefaults,
  method: "delete",
  path: "/v1/responses/{id}",
  summary: "Delete a response with its conversation, unless the conversation has other messages",
  answer: {
    status: 200,
    description: "The response was deleted",
    schema: z.object({ id: z.string(), object: z.literal("response"), deleted: z.literal(true) }),
    example: { id: EXAMPLE_ID, object: "response", deleted: true },
  },
};

export const CANCEL_RESPONSE_DESCRIPTION: RouteDescription = {
  ...openAiDefaults,
  method: "post",
  path: "/v1/responses/{id}/cancel",
  summary: "Cancel a response; one that has ended does not change",
  answer,
};

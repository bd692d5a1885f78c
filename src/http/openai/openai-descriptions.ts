// Descriptions of the OpenAI interface for /openapi.json.

import * as z from "zod";
import type { RouteDescription, ErrorFormat } from "../define-route.ts";
import { openAiErrorSchema } from "./openai-error.ts";
import { completionSchema } from "./completion-request.ts";

/**
 * A header with a conversation id. In a request, it continues this conversation; in a response, it names the
 * conversation of the answer.
 */
export const CONVERSATION_HEADER = "x-orrery-conversation";

export const modelSchema = z.object({
  id: z.string(),
  object: z.literal("model"),
  created: z.int().describe("Always 0: nobody here knows since when there is an agent."),
  owned_by: z.string(),
});

/** A chat completion, as far as this interface supports it. */
const chatCompletionSchema = z.object({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int().describe("Seconds since the epoch."),
  model: z.string(),
  system_fingerprint: z.null(),
  choices: z.array(
    z.object({
      index: z.int(),
      message: z.object({
        role: z.literal("assistant"),
        content: z.string().describe("The answer. A question of the runtime stands at its end."),
        refusal: z.null(),
        reasoning_content: z.string().optional().describe("A line for each step, and what was thought."),
      }),
      logprobs: z.null(),
      finish_reason: z
        .enum(["stop", "length"])
        .describe(
          "`length`: it failed after tasks had completed. Their results are the answer, and the reason ends it.",
        ),
    }),
  ),
  usage: z
    .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
    .optional()
    .describe("Absent for an answer that asks back: its work is not over."),
});

const errorFormat: ErrorFormat = {
  name: "OpenAiError",
  description:
    "What went wrong, as clients of OpenAI know it. `x-should-retry: false` where asking again would not help",
  schema: openAiErrorSchema,
  example: {
    error: {
      message: 'There is no model "gpt-5". GET /v1/models lists them.',
      type: "invalid_request_error",
      param: "model",
      code: "model_not_found",
    },
  },
};

const openAiDefaults = { tag: "OpenAI", query: null, body: null, streams: false, errorFormat } as const;
const exampleModel = { id: "orrery", object: "model", created: 0, owned_by: "orrery" };

export const MODELS_DESCRIPTION: RouteDescription = {
  ...openAiDefaults,
  method: "get",
  path: "/v1/models",
  summary: "The runtime and its agents, as models",
  answer: {
    status: 200,
    description: "All of them",
    schema: z.object({ object: z.literal("list"), data: z.array(modelSchema) }),
    example: { object: "list", data: [exampleModel] },
  },
};

export const MODEL_DESCRIPTION: RouteDescription = {
  ...openAiDefaults,
  method: "get",
  path: "/v1/models/{model}",
  summary: "One model",
  answer: { status: 200, description: "The model", schema: modelSchema, example: exampleModel },
};

const exampleChoice = { index: 0, logprobs: null, finish_reason: "stop" };
const exampleHead = { id: "chatcmpl-3f2a", created: 1_795_305_600, model: "orrery", system_fingerprint: null };
const exampleChunk = {
  ...exampleHead,
  object: "chat.completion.chunk",
  choices: [{ ...exampleChoice, delta: { content: "408" }, finish_reason: null }],
};

export const COMPLETION_DESCRIPTION: RouteDescription = {
  ...openAiDefaults,
  method: "post",
  path: "/v1/chat/completions",
  summary: "Have a message answered; with `stream: true`, as it comes",
  headers: {
    [CONVERSATION_HEADER]:
      "The conversation to go on with: only the last message is sent to it. Without it a new one begins, which is told " +
      "the other messages as its history.",
    "idempotency-key": "A request that comes again under its key finds its answer, and does not do the work twice.",
  },
  body: completionSchema,
  example: { model: "orrery", messages: [{ role: "user", content: "What is 12 * 34?" }] },
  answer: {
    status: 200,
    description: "The answer",
    schema: chatCompletionSchema,
    headers: { [CONVERSATION_HEADER]: "The conversation that the answer is part of." },
    example: {
      ...exampleHead,
      object: "chat.completion",
      choices: [{ ...exampleChoice, message: { role: "assistant", content: "12 * 34 = 408", refusal: null } }],
      usage: { prompt_tokens: 100, completion_tokens: 8, total_tokens: 108 },
    },
  },
  streams: true,
  stream: {
    description:
      "With `stream: true`. Server-sent events: each `data:` is a `chat.completion.chunk`, or an error; `[DONE]` is last.",
    example: `data: ${JSON.stringify(exampleChunk)}\n\ndata: [DONE]\n\n`,
  },
};

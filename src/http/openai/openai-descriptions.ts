// Descriptions of the OpenAI interface for /openapi.json.

import * as z from "zod";
import type { RouteDescription, ErrorFormat } from "../api/http-route.ts";
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
  created: z.int().describe("Always 0, because the creation time of an agent is unknown."),
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
        content: z
          .string()
          .nullable()
          .describe(
            "The answer. A question of the runtime is at its end. Null if there are only tool calls, or a refusal.",
          ),
        refusal: z.string().nullable().describe("The text of an answer that does not have the requested format."),
        tool_calls: z
          .array(
            z.object({
              id: z.string(),
              type: z.literal("function"),
              function: z.object({ name: z.string(), arguments: z.string() }),
            }),
          )
          .optional()
          .describe("Calls of the client's tools. Their results are the next messages."),
        reasoning_content: z.string().optional().describe("A line for each step, and the reasoning."),
      }),
      logprobs: z.null(),
      finish_reason: z
        .enum(["stop", "length", "tool_calls"])
        .describe(
          "`length`: the work failed after tasks had completed. The content is their results, followed by the reason.",
        ),
    }),
  ),
  usage: z
    .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
    .optional()
    .describe("Absent if the answer is a question, because the work is not finished."),
});

const errorFormat: ErrorFormat = {
  name: "OpenAiError",
  description: "An error in the format of OpenAI. `x-should-retry: false` means that a retry would not help",
  schema: openAiErrorSchema,
  example: {
    error: {
      message: 'Model "gpt-5" not found. GET /v1/models lists the available models.',
      type: "invalid_request_error",
      param: "model",
      code: "model_not_found",
    },
  },
};

/** The members that all descriptions of the interface share. */
export const openAiDefaults = { tag: "OpenAI", query: null, body: null, streams: false, errorFormat } as const;
const exampleModel = { id: "orrery", object: "model", created: 0, owned_by: "orrery" };

export const MODELS_DESCRIPTION: RouteDescription = {
  ...openAiDefaults,
  method: "get",
  path: "/v1/models",
  summary: "List the runtime and its agents as models",
  answer: {
    status: 200,
    description: "All models",
    schema: z.object({ object: z.literal("list"), data: z.array(modelSchema) }),
    example: { object: "list", data: [exampleModel] },
  },
};

export const MODEL_DESCRIPTION: RouteDescription = {
  ...openAiDefaults,
  method: "get",
  path: "/v1/models/{model}",
  summary: "Get a model",
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
  summary: "Create a chat completion; with `stream: true`, as a stream",
  headers: {
    [CONVERSATION_HEADER]:
      "The id of the conversation to continue; only the last message is sent to it. Without this header, a new " +
      "conversation starts, with the other messages as its history.",
    "idempotency-key":
      "A repeated request with the same key returns the answer of the first one, without doing the work again. Another request with the same key is refused with 422.",
  },
  body: completionSchema,
  example: { model: "orrery", messages: [{ role: "user", content: "What is 12 * 34?" }] },
  answer: {
    status: 200,
    description: "The answer",
    schema: chatCompletionSchema,
    headers: { [CONVERSATION_HEADER]: "The id of the conversation that contains the answer." },
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
      "With `stream: true`: server-sent events. Each `data` is a `chat.completion.chunk` or an error; the last one is `[DONE]`.",
    example: `data: ${JSON.stringify(exampleChunk)}\n\ndata: [DONE]\n\n`,
  },
};

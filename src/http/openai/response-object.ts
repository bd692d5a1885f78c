// The objects of the Responses API: a response, its output and its usage.

import * as z from "zod";
import type { AnswerOptions } from "../../core/models/answer-options.ts";
import type { Usage } from "../../protocol/wire/events.ts";
import { formatResponseId, type ResponseRef } from "./response-ids.ts";

const itemStatusSchema = z.enum(["in_progress", "completed", "incomplete"]);
const partSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("output_text"),
    text: z.string(),
    annotations: z.array(z.never()),
    logprobs: z.array(z.never()),
  }),
  z.object({ type: z.literal("refusal"), refusal: z.string() }),
]);
const itemSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message"),
    id: z.string(),
    status: itemStatusSchema,
    role: z.literal("assistant"),
    content: z.array(partSchema),
  }),
  z.object({
    type: z.literal("function_call"),
    id: z.string(),
    status: itemStatusSchema,
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal("reasoning"),
    id: z.string(),
    status: itemStatusSchema,
    summary: z.array(z.object({ type: z.literal("summary_text"), text: z.string() })),
  }),
]);
const looseSchema = z.looseObject({ type: z.string() });

/** A response, as far as this interface supports it. */
export const responseSchema = z.object({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int().describe("Seconds since the epoch."),
  status: z.enum(["in_progress", "completed", "failed", "cancelled", "incomplete"]),
  background: z.boolean(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z
    .object({ reason: z.literal("max_output_tokens") })
    .nullable()
    .describe("The work failed after tasks had completed. The output is their results, followed by the reason."),
  instructions: z.string().nullable(),
  max_output_tokens: z.null(),
  metadata: z.record(z.string(), z.string()),
  model: z.string(),
  output: z.array(itemSchema),
  parallel_tool_calls: z.boolean(),
  previous_response_id: z.string().nullable(),
  reasoning: z.object({ effort: z.null(), summary: z.null() }),
  store: z.literal(true).describe("A response is part of its conversation, which is always stored."),
  temperature: z.null(),
  text: z.object({ format: looseSchema }),
  tool_choice: z.enum(["auto", "required"]),
  tools: z.array(looseSchema),
  top_p: z.null(),
  truncation: z.literal("disabled"),
  usage: z
    .object({
      input_tokens: z.int(),
      input_tokens_details: z.object({ cached_tokens: z.int() }),
      output_tokens: z.int(),
      output_tokens_details: z.object({ reasoning_tokens: z.int() }),
      total_tokens: z.int(),
    })
    .nullable()
    .describe("Null until the work is finished. Cached and reasoning tokens are not counted separately."),
});
export type ResponseObject = z.infer<typeof responseSchema>;
export type OutputItem = ResponseObject["output"][number];
export type MessageItem = Extract<OutputItem, { type: "message" }>;
export type OutputPart = MessageItem["content"][number];

/** The request of a response, as far as its object repeats it. */
export type ResponseHead = {
  readonly ref: ResponseRef;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly model: string;
  readonly options: Omit<AnswerOptions, "input">;
  readonly instructions?: string | null;
  readonly previousResponseId?: string | null;
  readonly isBackground?: boolean;
};

/** Creates the object of a response that has just started. */
export function createResponseObject(head: ResponseHead): ResponseObject {
  const { clientTools, format } = head.options;
  return {
    id: formatResponseId(head.ref),
    object: "response",
    created_at: head.createdAt,
    status: "in_progress",
    background: head.isBackground === true,
    error: null,
    incomplete_details: null,
    instructions: head.instructions ?? null,
    max_output_tokens: null,
    metadata: {},
    model: head.model,
    output: [],
    parallel_tool_calls: clientTools?.callsOnce !== true,
    previous_response_id: head.previousResponseId ?? null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: null,
    text: { format: format ?? { type: "text" } },
    tool_choice: clientTools?.mustCall === true ? "required" : "auto",
    tools: (clientTools?.tools ?? []).map((tool) => ({ strict: null, ...tool, type: "function" })),
    top_p: null,
    truncation: "disabled",
    usage: null,
  };
}

/** Converts the usage to the format of the Responses API. */
export function toResponseUsage({ input_tokens, output_tokens }: Usage): ResponseObject["usage"] {
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input_tokens + output_tokens,
  };
}

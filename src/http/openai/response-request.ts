// Parses requests to create a response. Parameters that only tune a model are ignored.

import * as z from "zod";
import type { AnswerOptions } from "../../core/models/answer-options.ts";
import { parseOrThrow } from "../../protocol/wire/fault.ts";
import {
  answerFormatSchema,
  parseAnswerFormat,
  parseClientTools,
  toolChoiceSchema,
  toolListSchema,
} from "./answer-parameters.ts";
import { OpenAiError } from "./openai-error.ts";
import { inputSchema } from "./response-input.ts";

/** The parameters that are supported. See docs/open-protocols.md for the others. */
export const responseRequestSchema = z.looseObject({
  model: z.string().min(1).max(128).describe("`orrery`, or the name of an agent."),
  input: inputSchema.describe("A text, or items: messages, function calls and their outputs, references to items."),
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish().describe("The response whose conversation is continued."),
  tools: toolListSchema.nullish().describe("Functions of the client that the model `orrery` may call."),
  tool_choice: toolChoiceSchema.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  text: z.looseObject({ format: answerFormatSchema.nullish() }).nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish().describe("Respond at once; GET /v1/responses/{id} returns the result."),
});

/** A validated request. */
export type ResponseRequest = {
  readonly model: string;
  readonly input: z.infer<typeof inputSchema>;
  readonly instructions: string | null;
  readonly previousResponseId: string | null;
  readonly options: Omit<AnswerOptions, "input">;
  readonly streams: boolean;
  readonly isBackground: boolean;
};

/** Parameters that change the answer and are not supported. */
const UNSUPPORTED = ["conversation", "prompt", "top_logprobs"] as const;

/**
 * Parses a request. Throws `invalid_request` if it does not match the schema, and an `OpenAiError` (400) if it uses
 * unsupported features.
 */
export function parseResponseRequest(body: unknown): ResponseRequest {
  const request = parseOrThrow(responseRequestSchema, body);
  const param = UNSUPPORTED.find((name) => (request[name] ?? 0) !== 0);
  if (param !== undefined) throw new OpenAiError(400, "unsupported", `${param}: is not supported`, { param });
  const clientTools = parseClientTools(request);
  const format = parseAnswerFormat(request.text?.format, "text.format");
  return {
    model: request.model,
    input: request.input,
    instructions: request.instructions ?? null,
    previousResponseId: request.previous_response_id ?? null,
    options: { ...(clientTools === undefined ? {} : { clientTools }), ...(format === undefined ? {} : { format }) },
    streams: request.stream === true,
    isBackground: request.background === true,
  };
}

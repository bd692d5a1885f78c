// Requests and replies of the analysis endpoints (`POST /api/conversation`, `/api/workflow/generate`,
// `/api/page/generate`), in camelCase, and the RPC interface of the analyst.

import * as z from "zod";
import { storableTextSchema } from "../../lib/storable-text.ts";
import { languageSchema } from "../wire/commands.ts";
import { blueprintSchema } from "./blueprint-schema.ts";
import type { InternalResult } from "../wire/rpc-result.ts";

const contextSchema = z.record(z.string(), z.unknown());
/** An empty string means no conversation. */
const conversationId = z
  .string()
  .max(128)
  .transform((id) => (id === "" ? null : id))
  .nullish();

export const analysisRequestSchema = z.object({
  message: storableTextSchema.min(1).max(65_536),
  language: languageSchema.default("en"),
  teacherId: z.string().max(128).default(""),
  context: contextSchema.nullish(),
  /** If set, the message is about the page of this blueprint. */
  blueprint: blueprintSchema.nullish(),
  pageContext: contextSchema.nullish(),
  /** Refers to the blueprint and page that the server stored for this conversation, so they need not be sent again. */
  conversationId,
});
/** A request before and after its defaults are applied. */
export type AnalysisRequestInput = z.input<typeof analysisRequestSchema>;
export type AnalysisRequest = z.infer<typeof analysisRequestSchema>;

export const INITIAL_INTENTS = ["chat_smalltalk", "chat_qa", "build_workflow", "clarify"] as const;
export const FOLLOW_UP_INTENTS = ["chat", "refine", "rebuild"] as const;
export const analysisActionSchema = z.enum([...INITIAL_INTENTS, ...FOLLOW_UP_INTENTS]);
export type AnalysisAction = z.infer<typeof analysisActionSchema>;

export const ROUTE_HINTS = ["needClassId", "needTimeRange", "needAssignment", "needSubject"] as const;
export type RouteHint = (typeof ROUTE_HINTS)[number];

export const clarifyOptionsSchema = z.object({
  type: z.enum(["single_select", "multi_select"]),
  choices: z.array(z.object({ label: z.string(), value: z.string(), description: z.string().default("") })),
  allowCustomInput: z.boolean().default(true),
});
export type ClarifyOptions = z.infer<typeof clarifyOptionsSchema>;

export const analysisReplySchema = z.object({
  action: analysisActionSchema,
  chatResponse: z.string().optional(),
  blueprint: blueprintSchema.optional(),
  clarifyOptions: clarifyOptionsSchema.optional(),
  conversationId: z.string().optional(),
});
export type AnalysisReply = z.infer<typeof analysisReplySchema>;

export const pageRequestSchema = z.object({
  blueprint: blueprintSchema.nullish(),
  context: contextSchema.nullish(),
  teacherId: z.string().max(128).default(""),
  language: languageSchema.default("en"),
  conversationId,
});
export type PageRequestInput = z.input<typeof pageRequestSchema>;
export type PageRequest = z.infer<typeof pageRequestSchema>;

export const blueprintRequestSchema = z.object({
  userPrompt: storableTextSchema.min(1).max(65_536),
  language: languageSchema.default("en"),
  teacherId: z.string().max(128).default(""),
  context: contextSchema.nullish(),
});

export type BlueprintRequestInput = z.input<typeof blueprintRequestSchema>;
export type BlueprintRequest = z.infer<typeof blueprintRequestSchema>;

export const blueprintReplySchema = z.object({ blueprint: blueprintSchema, model: z.string() });
export type BlueprintReply = z.infer<typeof blueprintReplySchema>;

/** The RPC interface of the analyst for the endpoints. `user` is the id of the user who owns the data. */
export type AnalystApi = {
  /**
   * Answers a message: with text, a question, or a blueprint whose page is not made yet. Stores the state under the
   * conversation id, which is new if the request has none.
   */
  converse(user: string, request: AnalysisRequest): Promise<InternalResult<AnalysisReply>>;
  /** Creates a blueprint. Stores nothing. */
  plan(user: string, request: BlueprintRequest): Promise<InternalResult<BlueprintReply>>;
  /**
   * Returns page events as JSON lines. The last one is `COMPLETE`; the page is stored before it. Cancelling the stream
   * stops the work. Without a blueprint in the request, that of the conversation is used; `unprocessable` without any.
   */
  generate(user: string, request: PageRequest): Promise<InternalResult<ReadableStream<Uint8Array>>>;
  /**
   * Like `generate`, for a stored page: makes it again with current data and replaces it. `not_found` if it is gone.
   */
  refresh(user: string, pageId: string): Promise<InternalResult<ReadableStream<Uint8Array>>>;
};

// Requests and replies of the analysis endpoints (`POST /api/conversation`, `/api/workflow/generate`,
// `/api/page/generate`), in camelCase, and the RPC interface of the analyst.

import * as z from "zod";
import { blueprintSchema } from "./blueprint.ts";
import type { Result } from "./result.ts";

const context = z.record(z.string(), z.unknown());
/** An empty string means no conversation. */
const conversationId = z
  .string()
  .max(128)
  .transform((id) => (id === "" ? null : id))
  .nullish();

export const analysisRequestSchema = z.object({
  message: z.string().min(1).max(65_536),
  language: z.string().max(35).default("en"),
  teacherId: z.string().max(128).default(""),
  context: context.nullish(),
  /** If set, the message is about the page of this blueprint. */
  blueprint: blueprintSchema.nullish(),
  pageContext: context.nullish(),
  /** Refers to the blueprint and page that the server stored for this conversation, so they need not be sent again. */
  conversationId,
});
/** A request before and after its defaults are applied. */
export type AnalysisInput = z.input<typeof analysisRequestSchema>;
export type AnalysisRequest = z.infer<typeof analysisRequestSchema>;

export const INITIAL_INTENTS = ["chat_smalltalk", "chat_qa", "build_workflow", "clarify"] as const;
export const FOLLOW_UP_INTENTS = ["chat", "refine", "rebuild"] as const;
export const actionSchema = z.enum([...INITIAL_INTENTS, ...FOLLOW_UP_INTENTS]);
export type Action = z.infer<typeof actionSchema>;

export const ROUTE_HINTS = ["needClassId", "needTimeRange", "needAssignment", "needSubject"] as const;
export type RouteHint = (typeof ROUTE_HINTS)[number];

export const clarifyOptionsSchema = z.object({
  type: z.enum(["single_select", "multi_select"]),
  choices: z.array(z.object({ label: z.string(), value: z.string(), description: z.string().default("") })),
  allowCustomInput: z.boolean().default(true),
});
export type ClarifyOptions = z.infer<typeof clarifyOptionsSchema>;

export const analysisReplySchema = z.object({
  action: actionSchema,
  chatResponse: z.string().optional(),
  blueprint: blueprintSchema.optional(),
  clarifyOptions: clarifyOptionsSchema.optional(),
  conversationId: z.string().optional(),
});
export type AnalysisReply = z.infer<typeof analysisReplySchema>;

export const pageRequestSchema = z.object({
  blueprint: blueprintSchema.nullish(),
  context: context.nullish(),
  teacherId: z.string().max(128).default(""),
  language: z.string().max(35).default("en"),
  conversationId,
});
export type PageInput = z.input<typeof pageRequestSchema>;
export type PageRequest = z.infer<typeof pageRequestSchema>;

export const workflowRequestSchema = z.object({
  userPrompt: z.string().min(1).max(65_536),
  language: z.string().max(35).default("en"),
  teacherId: z.string().max(128).default(""),
  context: context.nullish(),
});

export type WorkflowInput = z.input<typeof workflowRequestSchema>;
export type WorkflowRequest = z.infer<typeof workflowRequestSchema>;

export const workflowReplySchema = z.object({ blueprint: blueprintSchema, model: z.string() });
export type WorkflowReply = z.infer<typeof workflowReplySchema>;

/** The RPC interface of the analyst for the endpoints. `user` is the id of the user who owns the data. */
export type AnalystApi = {
  converse(user: string, request: AnalysisRequest): Promise<Result<AnalysisReply>>;
  plan(user: string, request: WorkflowRequest): Promise<Result<WorkflowReply>>;
  /**
   * Returns page events as JSON lines. The last one is `COMPLETE`; the page is stored before it. Cancelling the stream
   * stops the work.
   */
  generate(user: string, request: PageRequest): Promise<Result<ReadableStream<Uint8Array>>>;
  /** Like `generate`, for a stored page: makes it again with current data and replaces it. */
  refresh(user: string, pageId: string): Promise<Result<ReadableStream<Uint8Array>>>;
};

// Talking about data: what the endpoint `POST /api/conversation` takes and gives, in camelCase.

import * as z from "zod";
import { blueprintSchema } from "./blueprint.ts";
import type { Result } from "./result.ts";

const context = z.record(z.string(), z.unknown());
/** An empty one is none. */
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
  /** With one, the message is about its page. */
  blueprint: blueprintSchema.nullish(),
  pageContext: context.nullish(),
  /** What the server keeps of an earlier message: its blueprint and page need not be sent back. */
  conversationId,
});
/** As it is written, and as it is with its defaults. */
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

/** What the analyst does for the endpoints, over its binding. `user` is whose data it is. */
export type AnalystApi = {
  converse(user: string, request: AnalysisRequest): Promise<Result<AnalysisReply>>;
  plan(user: string, request: WorkflowRequest): Promise<Result<WorkflowReply>>;
  /** Lines of page events, the last of them `COMPLETE`; the page is kept before that. Cancelling it stops the work. */
  generate(user: string, request: PageRequest): Promise<Result<ReadableStream<Uint8Array>>>;
  /** The same for a page that is kept, with fresh data in its place. */
  refresh(user: string, pageId: string): Promise<Result<ReadableStream<Uint8Array>>>;
};

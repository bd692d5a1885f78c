// Schemas of a page (the result of an analysis), of its blocks, and of the events that stream it. Members are in
// camelCase, as the clients of these endpoints expect.

import * as z from "zod";

/** All kinds of blocks. Other kinds are rejected everywhere. */
export const COMPONENT_TYPES = [
  "kpi_grid",
  "chart",
  "table",
  "markdown",
  "suggestion_list",
  "question_generator",
] as const;
export const componentTypeSchema = z.enum(COMPONENT_TYPES);
export type ComponentType = z.infer<typeof componentTypeSchema>;

/** The id of the blueprint slot that the block fills; unique within the page. */
const block = { id: z.string() };
const text = z.string();
const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const kpiGridSchema = z.object({
  ...block,
  type: z.literal("kpi_grid"),
  data: z.array(
    z.object({
      label: text,
      value: text,
      status: z.enum(["up", "down", "neutral"]).default("neutral"),
      subtext: text.default(""),
    }),
  ),
});

export const chartSchema = z.object({
  ...block,
  type: z.literal("chart"),
  variant: z.enum(["bar", "line", "radar", "pie", "gauge", "distribution"]),
  title: text,
  xAxis: z.array(text),
  /** The data series. A missing value is null. */
  series: z.array(z.object({ name: text, data: z.array(z.number().nullable()), color: text.optional() })),
});

export const tableSchema = z.object({
  ...block,
  type: z.literal("table"),
  title: text,
  headers: z.array(text),
  rows: z.array(
    z.object({ cells: z.array(cell), status: z.enum(["normal", "warning", "success", "error"]).default("normal") }),
  ),
  highlightRules: z
    .array(
      z.object({
        column: z.union([text, z.int()]),
        condition: z.enum(["lt", "lte", "gt", "gte", "eq", "neq"]),
        value: z.union([z.number(), text]),
        style: z.enum(["warning", "success", "error"]),
      }),
    )
    .default([]),
});

/** A text block. `content` is Markdown without HTML. */
export const markdownSchema = z.object({
  ...block,
  type: z.literal("markdown"),
  content: text,
  variant: z.enum(["default", "insight", "warning", "success"]).default("default"),
});

export const suggestionListSchema = z.object({
  ...block,
  type: z.literal("suggestion_list"),
  title: text,
  items: z.array(
    z.object({
      title: text,
      description: text,
      priority: z.enum(["high", "medium", "low"]).default("medium"),
      category: text.default(""),
    }),
  ),
});

export const questionGeneratorSchema = z.object({
  ...block,
  type: z.literal("question_generator"),
  title: text,
  description: text.default(""),
  knowledgePoint: text.default(""),
  questions: z.array(
    z.object({
      id: text,
      order: z.int(),
      type: z.enum(["multiple_choice", "fill_in_blank", "short_answer", "true_false"]),
      question: text,
      options: z.array(text).optional(),
      answer: text,
      explanation: text.default(""),
      difficulty: z.enum(["easy", "medium", "hard"]).default("medium"),
    }),
  ),
  context: z.record(z.string(), z.unknown()).default({}),
});

export const blockSchema = z.discriminatedUnion("type", [
  kpiGridSchema,
  chartSchema,
  tableSchema,
  markdownSchema,
  suggestionListSchema,
  questionGeneratorSchema,
]);
export type Block = z.infer<typeof blockSchema>;

export const layoutSchema = z.enum(["tabs", "single_page"]);

export const pageSpecSchema = z.object({
  meta: z.object({
    pageTitle: text,
    summary: text.default(""),
    /** ISO 8601, UTC. */
    generatedAt: text,
    dataSource: text.default(""),
    frameworkUsed: text.optional(),
    /** Numbers in generated text that no tool result contains. Clients mark them as unverified. */
    unverifiedNumbers: z.array(z.object({ blockId: text, number: text })).optional(),
  }),
  layout: layoutSchema,
  tabs: z.array(z.object({ id: text, label: text, blocks: z.array(blockSchema) })),
});
export type PageSpec = z.infer<typeof pageSpecSchema>;

const anything = z.record(z.string(), z.unknown());

/** The id of the binding or node that makes the call, or of the slot whose text needs it. It identifies the call. */
const callId = text.optional();

/**
 * An event of making a page. `COMPLETE` is always sent, once and last, also after an error. Blocks are sent one after
 * the other: first the blocks that only show data, in the order of the page, then the blocks that a model writes.
 */
export const pageEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("PHASE"), phase: z.enum(["data", "compute", "compose"]), message: text }),
  z.object({ type: z.literal("TOOL_CALL"), tool: text, args: anything, callId }),
  z.object({
    type: z.literal("TOOL_RESULT"),
    tool: text,
    status: z.enum(["success", "error"]),
    result: z.unknown().optional(),
    error: text.optional(),
    callId,
  }),
  z.object({ type: z.literal("BLOCK_START"), blockId: text, componentType: componentTypeSchema }),
  /** Appends text to the member `slotKey` of the block, such as `content` of a Markdown block. */
  z.object({ type: z.literal("SLOT_DELTA"), blockId: text, slotKey: text, deltaText: text }),
  /** The final block. It replaces the text of earlier deltas. */
  z.object({ type: z.literal("BLOCK_COMPLETE"), blockId: text, block: blockSchema }),
  z.object({ type: z.literal("MESSAGE"), content: text }),
  /** A requested name does not exist; `suggestions` are similar names. */
  z.object({ type: z.literal("DATA_ERROR"), entity: text, message: text, suggestions: z.array(text) }),
  z.object({
    type: z.literal("COMPLETE"),
    message: z.enum(["completed", "error"]),
    progress: z.literal(100),
    result: z.object({ response: text, chatResponse: text, page: pageSpecSchema.nullable(), pageId: text.optional() }),
  }),
]);
export type PageEvent = z.infer<typeof pageEventSchema>;

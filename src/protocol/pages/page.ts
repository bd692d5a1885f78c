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
const blockFields = { id: z.string() };
const textSchema = z.string();
const pageCellSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const kpiGridSchema = z.object({
  ...blockFields,
  type: z.literal("kpi_grid"),
  data: z.array(
    z.object({
      label: textSchema,
      value: textSchema,
      status: z.enum(["up", "down", "neutral"]).default("neutral"),
      subtext: textSchema.default(""),
    }),
  ),
});

export const chartSchema = z.object({
  ...blockFields,
  type: z.literal("chart"),
  variant: z.enum(["bar", "line", "radar", "pie", "gauge", "distribution"]),
  title: textSchema,
  xAxis: z.array(textSchema),
  /** The data series. A missing value is null. */
  series: z.array(z.object({ name: textSchema, data: z.array(z.number().nullable()), color: textSchema.optional() })),
});

export const tableSchema = z.object({
  ...blockFields,
  type: z.literal("table"),
  title: textSchema,
  headers: z.array(textSchema),
  rows: z.array(
    z.object({
      cells: z.array(pageCellSchema),
      status: z.enum(["normal", "warning", "success", "error"]).default("normal"),
    }),
  ),
  highlightRules: z
    .array(
      z.object({
        column: z.union([textSchema, z.int()]),
        condition: z.enum(["lt", "lte", "gt", "gte", "eq", "neq"]),
        value: z.union([z.number(), textSchema]),
        style: z.enum(["warning", "success", "error"]),
      }),
    )
    .default([]),
});

/** A text block. `content` is Markdown without HTML. */
export const markdownSchema = z.object({
  ...blockFields,
  type: z.literal("markdown"),
  content: textSchema,
  variant: z.enum(["default", "insight", "warning", "success"]).default("default"),
});

export const suggestionListSchema = z.object({
  ...blockFields,
  type: z.literal("suggestion_list"),
  title: textSchema,
  items: z.array(
    z.object({
      title: textSchema,
      description: textSchema,
      priority: z.enum(["high", "medium", "low"]).default("medium"),
      category: textSchema.default(""),
    }),
  ),
});

export const questionGeneratorSchema = z.object({
  ...blockFields,
  type: z.literal("question_generator"),
  title: textSchema,
  description: textSchema.default(""),
  knowledgePoint: textSchema.default(""),
  questions: z.array(
    z.object({
      id: textSchema,
      order: z.int(),
      type: z.enum(["multiple_choice", "fill_in_blank", "short_answer", "true_false"]),
      question: textSchema,
      options: z.array(textSchema).optional(),
      answer: textSchema,
      explanation: textSchema.default(""),
      difficulty: z.enum(["easy", "medium", "hard"]).default("medium"),
    }),
  ),
  context: z.record(z.string(), z.unknown()).default({}),
});

export const pageBlockSchema = z.discriminatedUnion("type", [
  kpiGridSchema,
  chartSchema,
  tableSchema,
  markdownSchema,
  suggestionListSchema,
  questionGeneratorSchema,
]);
export type PageBlock = z.infer<typeof pageBlockSchema>;

export const pageLayoutSchema = z.enum(["tabs", "single_page"]);

export const pageSpecSchema = z.object({
  meta: z.object({
    pageTitle: textSchema,
    summary: textSchema.default(""),
    /** ISO 8601, UTC. */
    generatedAt: textSchema,
    dataSource: textSchema.default(""),
    frameworkUsed: textSchema.optional(),
    /** Numbers in generated text that no tool result contains. Clients mark them as unverified. */
    unverifiedNumbers: z.array(z.object({ blockId: textSchema, number: textSchema })).optional(),
  }),
  layout: pageLayoutSchema,
  tabs: z.array(z.object({ id: textSchema, label: textSchema, blocks: z.array(pageBlockSchema) })),
});
export type PageSpec = z.infer<typeof pageSpecSchema>;

const jsonObjectSchema = z.record(z.string(), z.unknown());

/** The id of the binding or node that makes the call, or of the slot whose text needs it. It identifies the call. */
const callIdSchema = textSchema.optional();

/**
 * An event of making a page. `COMPLETE` is always sent, once and last, also after an error. Blocks are sent one after
 * the other: first the blocks that only show data, in the order of the page, then the blocks that a model writes.
 */
export const pageEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("PHASE"), phase: z.enum(["data", "compute", "compose"]), message: textSchema }),
  z.object({ type: z.literal("TOOL_CALL"), tool: textSchema, args: jsonObjectSchema, callId: callIdSchema }),
  z.object({
    type: z.literal("TOOL_RESULT"),
    tool: textSchema,
    status: z.enum(["success", "error"]),
    result: z.unknown().optional(),
    error: textSchema.optional(),
    callId: callIdSchema,
  }),
  z.object({ type: z.literal("BLOCK_START"), blockId: textSchema, componentType: componentTypeSchema }),
  /** Appends text to the member `slotKey` of the block, such as `content` of a Markdown block. */
  z.object({ type: z.literal("SLOT_DELTA"), blockId: textSchema, slotKey: textSchema, deltaText: textSchema }),
  /** The final block. It replaces the text of earlier deltas. */
  z.object({ type: z.literal("BLOCK_COMPLETE"), blockId: textSchema, block: pageBlockSchema }),
  z.object({ type: z.literal("MESSAGE"), content: textSchema }),
  /** A requested name does not exist; `suggestions` are similar names. */
  z.object({
    type: z.literal("DATA_ERROR"),
    entity: textSchema,
    message: textSchema,
    suggestions: z.array(textSchema),
  }),
  z.object({
    type: z.literal("COMPLETE"),
    message: z.enum(["completed", "error"]),
    progress: z.literal(100),
    result: z.object({
      response: textSchema,
      chatResponse: textSchema,
      page: pageSpecSchema.nullable(),
      pageId: textSchema.optional(),
    }),
  }),
]);
export type PageEvent = z.infer<typeof pageEventSchema>;

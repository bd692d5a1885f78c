// Schemas of the tools that the toolsmith has written, tested and stored for a user.

import * as z from "zod";

export const TOOL_CATEGORIES = ["datetime", "calendar", "math", "text", "other"] as const;
export const toolCategorySchema = z.enum(TOOL_CATEGORIES);
export type ToolCategory = z.infer<typeof toolCategorySchema>;

/** The allowed names of tools. */
export const TOOL_NAME_PATTERN = /^[a-z][a-z0-9_]{0,63}$/;

/** Default of the setting `MAX_TOOLS`: stored tools per user. */
export const DEFAULT_MAX_TOOLS = 10_000;

/** A JSON Schema. The toolsmith supports a subset of it. */
const jsonSchemaObject = z.record(z.string(), z.unknown());

/** The outcome of the last run of a tool. `at` is in ms since the epoch, like all times here. */
export const lastRunSchema = z.object({
  status: z.enum(["completed", "failed"]),
  error: z.string().optional(),
  at: z.number(),
});

export const storedToolSchema = z.object({
  name: z.string(),
  description: z.string(),
  category: toolCategorySchema,
  /** The schema of its arguments, an object. */
  parameters: jsonSchemaObject,
  /** The schema of its result, if its author stated one. */
  returns: jsonSchemaObject.optional(),
  code: z.string(),
  /** Counts from 1. New code under the same name gets the next version. */
  version: z.int().min(1),
  /** SHA-256 of the code and the schemas, in hex. */
  hash: z.string(),
  /** The number of runs of all versions. */
  uses: z.int().min(0),
  last_run: lastRunSchema,
  created_at: z.number(),
  /** The time at which the current version was stored. */
  updated_at: z.number(),
});
export type StoredTool = z.infer<typeof storedToolSchema>;

/** A tool in a list, without its code and schemas. */
export const toolSummarySchema = storedToolSchema.omit({ code: true, parameters: true, returns: true, hash: true });
export type ToolSummary = z.infer<typeof toolSummarySchema>;

export const toolListSchema = z.object({ tools: z.array(toolSummarySchema), next_cursor: z.string().nullable() });
export type ToolList = z.infer<typeof toolListSchema>;

/** One version of a tool, with the list of all versions, newest first. */
export const toolWithVersionsSchema = z.object({
  ...storedToolSchema.shape,
  versions: z.array(z.object({ version: z.int(), hash: z.string(), created_at: z.number() })),
});
export type ToolWithVersions = z.infer<typeof toolWithVersionsSchema>;

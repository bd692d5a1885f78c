// Tools that a person's toolsmith has written, tried and kept.

import * as z from "zod";

export const TOOL_CATEGORIES = ["datetime", "calendar", "math", "text", "other"] as const;
export const toolCategorySchema = z.enum(TOOL_CATEGORIES);
export type ToolCategory = z.infer<typeof toolCategorySchema>;

/** What a tool may be called. */
export const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Tools that one person may keep, if nothing else is said. */
export const DEFAULT_MAX_TOOLS = 10_000;

/** A JSON Schema, as far as `agents/toolsmith/schema.ts` reads it. */
const jsonSchema = z.record(z.string(), z.unknown());

/** What a tool's last run came to. `at` is in epoch milliseconds, as all times. */
export const lastRunSchema = z.object({
  status: z.enum(["completed", "failed"]),
  error: z.string().optional(),
  at: z.number(),
});

export const toolSchema = z.object({
  name: z.string(),
  description: z.string(),
  category: toolCategorySchema,
  /** What it takes: an object. */
  parameters: jsonSchema,
  /** What it returns, if its author said so. */
  returns: jsonSchema.optional(),
  code: z.string(),
  /** Counts from 1; another code under the same name is the next version. */
  version: z.int().min(1),
  /** SHA-256 of the code and the schemas, hex. */
  hash: z.string(),
  /** How often it has run, all versions together. */
  uses: z.int().min(0),
  last_run: lastRunSchema,
  created_at: z.number(),
  /** When the current version was kept. */
  updated_at: z.number(),
});
export type Tool = z.infer<typeof toolSchema>;

/** A tool as it is listed: newest first, or the best match first. */
export const toolSummarySchema = toolSchema.omit({ code: true, parameters: true, returns: true, hash: true });
export type ToolSummary = z.infer<typeof toolSummarySchema>;

export const toolPageSchema = z.object({ tools: z.array(toolSummarySchema), next_cursor: z.string().nullable() });
export type ToolPage = z.infer<typeof toolPageSchema>;

/** One tool, as it is or as an older version of it was, with the versions that there are, the newest first. */
export const toolWithVersionsSchema = z.object({
  ...toolSchema.shape,
  versions: z.array(z.object({ version: z.int(), hash: z.string(), created_at: z.number() })),
});
export type ToolWithVersions = z.infer<typeof toolWithVersionsSchema>;

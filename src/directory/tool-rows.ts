// How tools stand in their rows, and what may become one.

import * as z from "zod";
import { exceedsBytes } from "../protocol/commands.ts";
import { TOOL_NAME, toolSchema, toolSummarySchema, type Tool, type ToolSummary } from "../protocol/tools.ts";

const MOST_BYTES = 16_384;

const bounded = <T>(schema: z.ZodType<T>) =>
  schema.refine(
    (value) => !exceedsBytes(typeof value === "string" ? value : JSON.stringify(value), MOST_BYTES),
    `must not exceed ${MOST_BYTES} bytes`,
  );

/** What can be kept. */
export const draftSchema = z.object({
  name: z.string().regex(TOOL_NAME, "must begin with a letter and have only a-z, 0-9 and _, at most 64"),
  description: z.string().min(1).max(4_000),
  category: toolSchema.shape.category,
  parameters: bounded(toolSchema.shape.parameters),
  returns: bounded(toolSchema.shape.parameters).optional(),
  code: bounded(toolSchema.shape.code),
  hash: z.string().min(1).max(128),
});

/** The columns of a whole tool, from a `tool` and the `version` that is wanted. */
export const TOOL_COLUMNS = `tool.name, version.description, version.category, version.parameters, version.returns,
  version.code, version.version, version.hash, tool.uses, tool.last_run, tool.created_at, version.created_at AS updated_at`;

/** The columns of a tool as it is listed. */
export const SUMMARY_COLUMNS = `tool.name, tool.description, tool.category, tool.version, tool.uses, tool.last_run,
  tool.created_at, tool.updated_at`;

/** To a `tool`, its current `version`. */
export const WITH_CURRENT = `JOIN tool_version AS version
  ON version.tool_id = tool.tool_id AND version.version = tool.version`;

export type Row = Readonly<Record<string, unknown>>;

export function decodedTool({ parameters, returns, last_run, ...row }: Row): Tool {
  return toolSchema.parse({
    ...row,
    parameters: parsed(parameters),
    ...(returns === null ? {} : { returns: parsed(returns) }),
    last_run: parsed(last_run),
  });
}

export function decodedSummary({ last_run, ...row }: Row): ToolSummary {
  return toolSummarySchema.parse({ ...row, last_run: parsed(last_run) });
}

function parsed(json: unknown): unknown {
  return JSON.parse(String(json));
}

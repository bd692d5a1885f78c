// The columns of stored tools, their decoding, and the validation of new ones.

import * as z from "zod";
import { exceedsBytes } from "../protocol/commands.ts";
import { TOOL_NAME, toolSchema, toolSummarySchema, type Tool, type ToolSummary } from "../protocol/tools.ts";

/** The maximum size of a field, in bytes of UTF-8 JSON or text. */
const MOST_BYTES = 16_384;

const bounded = <T>(schema: z.ZodType<T>) =>
  schema.refine(
    (value) => !exceedsBytes(typeof value === "string" ? value : JSON.stringify(value), MOST_BYTES),
    `must not exceed ${MOST_BYTES} bytes`,
  );

/** The schema of a tool that can be stored. */
export const draftSchema = z.object({
  name: z.string().regex(TOOL_NAME, "must begin with a letter and have only a-z, 0-9 and _, at most 64"),
  description: z.string().min(1).max(4_000),
  category: toolSchema.shape.category,
  parameters: bounded(toolSchema.shape.parameters),
  returns: bounded(toolSchema.shape.parameters).optional(),
  code: bounded(toolSchema.shape.code),
  hash: z.string().min(1).max(128),
});

/** The columns of a whole tool; joins `tool` and the selected `version`. */
export const TOOL_COLUMNS = `tool.name, version.description, version.category, version.parameters, version.returns,
  version.code, version.version, version.hash, tool.uses, tool.last_run, tool.created_at, version.created_at AS updated_at`;

/** The columns of a tool in a list. */
export const SUMMARY_COLUMNS = `tool.name, tool.description, tool.category, tool.version, tool.uses, tool.last_run,
  tool.created_at, tool.updated_at`;

/** Joins the current version to `tool`. */
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
